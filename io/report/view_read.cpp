// The files of a view, read row by row where only some rows are wanted.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include "core/errors.hpp"
#include "io/report/view_data.hpp"
#include "io/state/state_layout.hpp"
#include "io/formats/system_file.hpp"
#include "io/formats/text_file.hpp"

namespace granary {
namespace {

constexpr std::uint64_t largest_text = 200'000'000;  // bytes of a file of walls

[[noreturn]] void fail(const std::string& path, const std::string& why) { throw InputError(path + ": " + why); }

std::string attribute_in(std::string_view tag, std::string_view name) {
    const std::string before = fmt::format(" {}=\"", name);
    const std::size_t at = tag.find(before);
    if (at == std::string_view::npos) return "";
    const std::size_t begin = at + before.size(), end = tag.find('"', begin);
    return end == std::string_view::npos ? "" : std::string(tag.substr(begin, end - begin));
}

std::uint64_t whole_number(const std::string& text, const std::string& path) {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size() || n > (std::uint64_t{1} << 48))
        fail(path, fmt::format("\"{}\" is not a valid number", text));
    return n;
}

// ---- Frames ---------------------------------------------------------------------------------------------------------

struct FileArray {
    std::string type;
    std::uint64_t offset = 0, components = 1;
    std::size_t number_bytes() const {
        return type == "Float64" || type == "Int64"   ? 8
               : type == "Float32" || type == "Int32" ? 4
               : type == "UInt16"                     ? 2
                                                      : 0;
    }
    double number(const char* at) const {
        const auto load = [&](auto value) {
            std::memcpy(&value, at, sizeof value);
            return static_cast<double>(value);
        };
        return type == "Float64"   ? load(double{})
               : type == "Float32" ? load(float{})
               : type == "Int64"   ? load(std::int64_t{})
               : type == "Int32"   ? load(std::int32_t{})
                                   : load(std::uint16_t{});
    }
};

class FrameFile {
  public:
    explicit FrameFile(const std::string& path)
        : path_(path),
          file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC), path, "cannot be read") {
        std::string head(65536, '\0');
        head.resize(read(0, head.data(), head.size()));
        const std::size_t data = head.find("<AppendedData"), mark = head.find('_', data);
        if (data == std::string::npos || mark == std::string::npos) fail(path, "is not a frame");
        data_at_ = mark + 1;
        n_ = whole_number(attribute_in(head, "NumberOfPoints"), path);
        if (const std::size_t at = head.find("Name=\"TimeValue\""); at != std::string::npos) {
            const std::size_t begin = head.find('>', at) + 1;
            std::from_chars(head.data() + begin, head.data() + head.size(), time_);
        }
        for (std::size_t at = 0; (at = head.find("<DataArray", at)) < data; ++at) {
            const std::string_view tag = std::string_view(head).substr(at, head.find('>', at) - at);
            if (attribute_in(tag, "format") != "appended") continue;
            FileArray a{attribute_in(tag, "type"), whole_number(attribute_in(tag, "offset"), path),
                        whole_number(attribute_in(tag, "NumberOfComponents"), path)};
            if (a.number_bytes() > 0 && a.components <= 9) arrays_[attribute_in(tag, "Name")] = a;
        }
    }
    std::uint64_t size() const { return n_; }
    double time() const { return time_; }

    // Calls f(k, numbers of row k * stride) for every stride-th row; false: there is no such array.
    template <class F> bool each(const std::string& name, std::uint64_t stride, F&& f) const {
        const auto it = arrays_.find(name);
        if (it == arrays_.end()) return false;
        const FileArray& a = it->second;
        const std::size_t row = a.components * a.number_bytes();
        const std::uint64_t begin = data_at_ + a.offset + 8;  // its length stands before it
        const std::uint64_t rows_at_once = stride == 1 ? 65536 : 1;
        std::vector<char> bytes(row * rows_at_once);
        std::array<double, 9> numbers{};
        for (std::uint64_t i = 0, k = 0; i < n_; i += stride * rows_at_once) {
            const std::uint64_t here = std::min(rows_at_once, n_ - i);
            if (read(begin + i * row, bytes.data(), row * here) != row * here) fail(path_, "is truncated");
            for (std::uint64_t r = 0; r < here; ++r, ++k) {
                for (std::size_t c = 0; c < a.components; ++c)
                    numbers[c] = a.number(bytes.data() + r * row + c * a.number_bytes());
                f(k, numbers);
            }
        }
        return true;
    }

  private:
    std::size_t read(std::uint64_t at, char* to, std::size_t n) const {
        std::size_t done = 0;
        while (done < n) {
            const ssize_t got = ::pread(file_, to + done, n - done, static_cast<off_t>(at + done));
            if (got <= 0) break;
            done += static_cast<std::size_t>(got);
        }
        return done;
    }
    std::string path_;
    Descriptor file_;
    std::uint64_t data_at_ = 0, n_ = 0;
    double time_ = 0;
    std::map<std::string, FileArray> arrays_;
};

std::uint64_t stride_for(std::uint64_t n, std::size_t most) {
    return std::max<std::uint64_t>(1, (n + most - 1) / std::max<std::size_t>(1, most));
}

std::uint16_t small(double v) { return static_cast<std::uint16_t>(std::clamp(v, 0.0, 65535.0)); }

// ---- Walls: small files of text -------------------------------------------------------------------------------------

class TextArrays {
  public:
    explicit TextArrays(const std::string& path) : path_(path) {
        std::error_code error;
        if (std::filesystem::file_size(path, error) > largest_text || error)
            fail(path, "cannot be read, or is too large to be shown");
        text_ = read_text_file(path);
    }
    std::vector<double> numbers(const std::string& name) const {
        const std::size_t at = text_.find(fmt::format("Name=\"{}\"", name));
        if (at == std::string::npos) return {};
        std::size_t begin = text_.find('>', at);
        const std::size_t end = text_.find('<', begin);
        if (end == std::string::npos) fail(path_, "is truncated");
        std::vector<double> values;
        const char *p = text_.data() + begin + 1, *stop = text_.data() + end;
        while (p < stop) {
            if (*p == ' ' || *p == '\n') {
                ++p;
                continue;
            }
            double v = 0;
            const auto [next, failure] = std::from_chars(p, stop, v);
            if (failure != std::errc()) fail(path_, "contains something else than numbers");
            values.push_back(v), p = next;
        }
        return values;
    }

  private:
    std::string path_, text_;
};

// Corners in the same cell of a grid become one, triangles that lose a corner vanish; ever coarser until few are left.
void thin_triangles(ViewMoment& m, std::size_t most) {
    std::array<float, 3> lo = m.corners.front(), hi = lo;
    for (const auto& c : m.corners)
        for (std::size_t k = 0; k < 3; ++k) lo[k] = std::min(lo[k], c[k]), hi[k] = std::max(hi[k], c[k]);
    const float longest = std::max({hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2], 1e-30f});
    for (float cells = 256; m.triangles.size() > 3 * most && cells > 4; cells *= 0.75f) {
        std::map<std::array<int, 3>, std::uint32_t> known;
        std::vector<std::uint32_t> now(m.corners.size());
        for (std::size_t c = 0; c < m.corners.size(); ++c) {
            std::array<int, 3> cell{};
            for (std::size_t k = 0; k < 3; ++k) cell[k] = static_cast<int>((m.corners[c][k] - lo[k]) / longest * cells);
            now[c] = known.emplace(cell, static_cast<std::uint32_t>(c)).first->second;
        }
        std::vector<std::uint32_t> left;
        for (std::size_t t = 0; t + 2 < m.triangles.size(); t += 3) {
            const std::uint32_t a = now[m.triangles[t]], b = now[m.triangles[t + 1]], c = now[m.triangles[t + 2]];
            if (a != b && b != c && a != c) left.insert(left.end(), {a, b, c});
        }
        m.triangles = std::move(left);
    }
    if (m.triangles.size() > 3 * most) m.triangles.resize(3 * most);
}

// Numbers of corners that are in use; three for each of 20 000 triangles fit in 16 bits.
void drop_unused_corners(ViewMoment& m) {
    std::vector<std::uint32_t> number(m.corners.size(), UINT32_MAX);
    std::vector<std::array<float, 3>> used;
    for (std::uint32_t& t : m.triangles) {
        if (number[t] == UINT32_MAX) number[t] = static_cast<std::uint32_t>(used.size()), used.push_back(m.corners[t]);
        t = number[t];
    }
    m.corners = std::move(used);
}

}  // namespace

ViewMoment balls_of_frame(const std::string& path, std::size_t most) {
    const FrameFile file(path);
    ViewMoment m;
    m.time = file.time(), m.n_all = file.size();
    const std::uint64_t stride = stride_for(file.size(), most);
    m.balls.resize((file.size() + stride - 1) / stride);
    const bool drawable = file.each("position", stride, [&](std::uint64_t k, const auto& v) {
        for (std::size_t c = 0; c < 3; ++c) m.balls[k].x[c] = static_cast<float>(v[c]);
    }) && file.each("radius", stride, [&](std::uint64_t k, const auto& v) {
        m.balls[k].radius = static_cast<float>(v[0]);
    });
    if (!drawable) fail(path, "has no radius");
    if (!file.each("speed", stride,
                   [&](std::uint64_t k, const auto& v) { m.balls[k].speed = static_cast<float>(v[0]); }))
        file.each("velocity", stride, [&](std::uint64_t k, const auto& v) {
            m.balls[k].speed = static_cast<float>(std::hypot(v[0], v[1], v[2]));
        });
    file.each("material", stride, [&](std::uint64_t k, const auto& v) { m.balls[k].material = small(v[0]); });
    file.each("band", stride, [&](std::uint64_t k, const auto& v) { m.balls[k].band = small(v[0]); });
    // A shape without its orientation stays the ball around it.
    if (file.each("orientation", stride, [&](std::uint64_t k, const auto& v) {
            for (std::size_t c = 0; c < 4; ++c) m.balls[k].orientation[c] = static_cast<float>(v[c]);
        }))
        file.each("shape", stride, [&](std::uint64_t k, const auto& v) { m.balls[k].shape = small(v[0]); });
    return m;
}

ViewMoment balls_of_state(const std::string& path, std::size_t most) {
    const h5::QuietErrors quiet;
    const h5::File file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, state_layout::plain_access()), path, "cannot be read");
    ViewMoment m;
    file.get_numbers(file, "time", {}, &m.time);
    const auto each = [&](const char* name, hsize_t components, auto type, auto&& f) {
        using Value = decltype(type);
        const h5::Handle set = file.open_dataset(std::string("/bodies/") + name);
        const h5::Shape shape = file.shape_of_dataset(set);
        if (shape.empty() || shape.size() > 2 || (shape.size() == 2 ? shape[1] : 1) != components)
            file.fail("has other bodies");
        if (m.balls.empty()) {
            m.n_all = shape[0];
            m.balls.resize((m.n_all + stride_for(m.n_all, most) - 1) / stride_for(m.n_all, most));
        }
        if (shape[0] != m.n_all) file.fail("has bodies of several lengths");
        if (m.n_all == 0) return;
        const hsize_t n = m.balls.size();
        const h5::Shape start(shape.size(), 0),
            stride = shape.size() == 2 ? h5::Shape{stride_for(m.n_all, most), 1} : h5::Shape{stride_for(m.n_all, most)},
            count = shape.size() == 2 ? h5::Shape{n, components} : h5::Shape{n};
        const h5::Handle in_file(H5Dget_space(set), H5Sclose), in_memory = h5::space_of(count);
        file.check(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), stride.data(), count.data(), nullptr),
                   "cannot be read");
        std::vector<Value> values(n * components);
        file.check(H5Dread(set, h5::memory_type<Value>(), in_memory, in_file, H5P_DEFAULT, values.data()),
                   "cannot be read");
        for (std::size_t k = 0; k < n; ++k) f(m.balls[k], &values[k * components]);
    };
    each("position", 3, double{}, [](ViewBall& b, const double* v) {
        for (std::size_t c = 0; c < 3; ++c) b.x[c] = static_cast<float>(v[c]);
    });
    each("radius", 1, double{}, [](ViewBall& b, const double* v) { b.radius = static_cast<float>(*v); });
    each("velocity", 3, double{},
         [](ViewBall& b, const double* v) { b.speed = static_cast<float>(std::hypot(v[0], v[1], v[2])); });
    each("material", 1, std::uint16_t{}, [](ViewBall& b, const std::uint16_t* v) { b.material = *v; });
    if (H5Lexists(file, "/bodies/band", H5P_DEFAULT) > 0)
        each("band", 1, std::uint16_t{}, [](ViewBall& b, const std::uint16_t* v) { b.band = *v; });
    if (H5Lexists(file, "/bodies/shape", H5P_DEFAULT) > 0 && H5Lexists(file, "/bodies/orientation", H5P_DEFAULT) > 0) {
        each("orientation", 4, double{}, [](ViewBall& b, const double* v) {
            for (std::size_t c = 0; c < 4; ++c) b.orientation[c] = static_cast<float>(v[c]);
        });
        each("shape", 1, std::uint16_t{}, [](ViewBall& b, const std::uint16_t* v) { b.shape = *v; });
    }
    return m;
}

void add_walls(ViewMoment& m, const std::string& path, std::size_t most) {
    const TextArrays file(path);
    const std::vector<double> points = file.numbers("position"), corners = file.numbers("connectivity"),
                              ends = file.numbers("offsets");
    m.corners.clear(), m.triangles.clear();
    for (std::size_t k = 0; k + 2 < points.size(); k += 3)
        m.corners.push_back(
            {static_cast<float>(points[k]), static_cast<float>(points[k + 1]), static_cast<float>(points[k + 2])});
    std::size_t begin = 0;
    for (const double e : ends) {
        const std::size_t end = std::min(static_cast<std::size_t>(std::max(e, 0.0)), corners.size());
        for (std::size_t k = begin + 2; k < end; ++k)
            for (const std::size_t c : {begin, k - 1, k}) {
                if (!(corners[c] >= 0 && corners[c] < static_cast<double>(m.corners.size())))
                    fail(path, "names a corner that does not exist");
                m.triangles.push_back(static_cast<std::uint32_t>(corners[c]));
            }
        begin = std::max(begin, end);
    }
    if (m.triangles.size() > 3 * most) thin_triangles(m, most);
    drop_unused_corners(m);
}

void add_wall_balls(ViewMoment& m, const std::string& path, std::size_t most) {
    const TextArrays file(path);
    const std::vector<double> points = file.numbers("position"), radius = file.numbers("radius");
    m.wall_balls.clear();
    const std::size_t stride = stride_for(radius.size(), most);
    for (std::size_t k = 0; k < radius.size() && 3 * k + 2 < points.size(); k += stride) {
        ViewBall b;
        for (std::size_t c = 0; c < 3; ++c) b.x[c] = static_cast<float>(points[3 * k + c]);
        b.radius = static_cast<float>(radius[k]);
        m.wall_balls.push_back(b);
    }
}

}  // namespace granary
