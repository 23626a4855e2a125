// A small reader of VTK XML PolyData, for tests: text and raw appended arrays of one piece. It trusts nothing:
// whatever does not fit together (lengths, gaps between arrays, what stands around them) is in `problems`.
#pragma once
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace granary::test {

using Attributes = std::map<std::string, std::string>;

struct VtpArray {
    std::string section, type, unit;  // section: the tag around it
    std::size_t components = 1;
    std::vector<double> reals;        // of Float32, Float64
    std::vector<std::int64_t> whole;  // of all others
    std::vector<std::string> texts;   // of String
    std::size_t size() const { return reals.size() + whole.size() + texts.size(); }
};

struct Vtp {
    Attributes file, piece;
    std::vector<std::string> names;  // in the order of the file
    std::map<std::string, VtpArray> arrays;
    std::vector<std::string> problems;
    std::size_t n_points() const { return number(piece, "NumberOfPoints"); }
    static std::size_t number(const Attributes& a, const std::string& name) {
        return a.count(name) ? std::stoull(a.at(name)) : 0;
    }
    std::vector<std::string> names_in(const std::string& section) const {
        std::vector<std::string> found;
        for (const std::string& name : names)
            if (arrays.at(name).section == section) found.push_back(name);
        return found;
    }
};

class VtpReader {
  public:
    explicit VtpReader(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        text_.assign(std::istreambuf_iterator<char>(file), {});
    }

    Vtp read() {
        const std::string opening = "<AppendedData encoding=\"raw\">";
        const std::size_t appended = text_.find(opening);
        const std::string head = text_.substr(0, appended);
        if (appended != std::string::npos) {
            const std::size_t mark = text_.find_first_not_of(" \n", appended + opening.size());
            if (mark == std::string::npos || text_[mark] != '_') complain("no _ before the data");
            // ParaView 5.11 with a recent Expat reads one more block of 4096 bytes as XML.
            if (mark / 4096 < (appended + opening.size() - 1) / 4096 + 2) complain("data in the block after the tag");
            data_ = mark + 1;
        }
        std::string section;
        for (std::size_t at = 0; (at = head.find('<', at)) != std::string::npos; ++at) {
            const std::size_t end = head.find('>', at);
            const std::string tag = head.substr(at + 1, end - at - 1);
            const std::string name = tag.substr(0, tag.find_first_of(" /?"));
            if (name == "VTKFile") vtp_.file = attributes(tag);
            else if (name == "Piece") vtp_.piece = attributes(tag);
            else if (name == "DataArray" || name == "Array")
                read_array(section, attributes(tag), tag.back() == '/' ? "" : inside(head, end + 1, "</" + name + ">"));
            else if (!name.empty() && name != "InformationKey") section = name;
        }
        if (data_ > 0) check_end();
        else if (!text_.ends_with("</VTKFile>\n")) complain("the end is missing");
        return vtp_;
    }

  private:
    void complain(const std::string& what) { vtp_.problems.push_back(what); }

    static Attributes attributes(const std::string& tag) {
        Attributes found;
        for (std::size_t at = 0; (at = tag.find("=\"", at)) != std::string::npos;) {
            const std::size_t start = tag.rfind(' ', at) + 1, end = tag.find('"', at + 2);
            found[tag.substr(start, at - start)] = tag.substr(at + 2, end - at - 2);
            at = end;
        }
        return found;
    }
    static std::string inside(const std::string& text, std::size_t from, const std::string& closing) {
        return text.substr(from, text.find(closing, from) - from);
    }

    void read_array(const std::string& section, const Attributes& tag, std::string text) {
        VtpArray array;
        array.section = section, array.type = tag.at("type");
        array.components = tag.count("NumberOfComponents") ? Vtp::number(tag, "NumberOfComponents") : 1;
        if (const std::size_t key = text.find("<InformationKey name=\"UNITS_LABEL\""); key != std::string::npos)
            array.unit = inside(text, text.find('>', key) + 1, "</");
        if (tag.at("format") == "appended") {
            read_appended(array, tag);
        } else {
            std::istringstream words(text);
            std::string one;
            for (double number; array.type.starts_with("Float") && words >> number;) array.reals.push_back(number);
            for (std::int64_t number; !array.type.starts_with("Float") && words >> number;) {
                if (array.type != "String") array.whole.push_back(number);
                else if (number != 0) one += static_cast<char>(number);
                else array.texts.push_back(one), one.clear();
            }
        }
        const std::size_t rows = array.size() / array.components;
        const bool of_points = section == "Points" || section == "PointData";
        const std::size_t cells = Vtp::number(vtp_.piece, "NumberOfVerts") + Vtp::number(vtp_.piece, "NumberOfLines") +
                                  Vtp::number(vtp_.piece, "NumberOfPolys");
        if (of_points && rows != vtp_.n_points()) complain(tag.at("Name") + " has " + std::to_string(rows) + " rows");
        if (section == "CellData" && rows != cells) complain(tag.at("Name") + " does not fit the cells");
        if (tag.at("Name") == "offsets" && rows != cells) complain("offsets do not fit the cells");
        vtp_.names.push_back(tag.at("Name"));
        vtp_.arrays[tag.at("Name")] = array;
    }

    template <class T> T load(std::size_t at) {
        T value{};
        if (at + sizeof value > text_.size()) complain("beyond the end of the file");
        else std::memcpy(&value, text_.data() + at, sizeof value);
        return value;
    }
    template <class T, class U> void load_all(std::vector<U>& to, std::size_t at, std::size_t bytes) {
        for (std::size_t k = 0; k + sizeof(T) <= bytes && at + k < text_.size(); k += sizeof(T))
            to.push_back(static_cast<U>(load<T>(at + k)));
    }
    void read_appended(VtpArray& array, const Attributes& tag) {
        const std::size_t offset = Vtp::number(tag, "offset");
        if (offset != end_) complain(tag.at("Name") + " does not begin where the array before it ends");
        const std::size_t bytes = load<std::uint64_t>(data_ + offset), at = data_ + offset + 8;
        if (array.type == "Float32") load_all<float>(array.reals, at, bytes);
        else if (array.type == "Float64") load_all<double>(array.reals, at, bytes);
        else if (array.type == "Int64") load_all<std::int64_t>(array.whole, at, bytes);
        else if (array.type == "Int32") load_all<std::int32_t>(array.whole, at, bytes);
        else if (array.type == "UInt16") load_all<std::uint16_t>(array.whole, at, bytes);
        else complain("type " + array.type);
        end_ = offset + 8 + bytes;
    }
    void check_end() {
        if (vtp_.file["header_type"] != "UInt64") complain("lengths are not declared as UInt64");
        const std::string tail = "\n</AppendedData>\n</VTKFile>\n";
        if (text_.size() != data_ + end_ + tail.size() || text_.compare(data_ + end_, tail.size(), tail) != 0)
            complain("the data are not followed by the end of the file");
    }

    std::string text_;
    std::size_t data_ = 0, end_ = 0;  // of the appended data: its place in the file, and the end of its arrays so far
    Vtp vtp_;
};

inline Vtp read_vtp(const std::string& path) { return VtpReader(path).read(); }

}  // namespace granary::test
