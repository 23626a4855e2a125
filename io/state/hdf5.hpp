// A thin layer over the C interface of HDF5: ids that close themselves, and errors that become an InputError with
// the name of the file and HDF5's own reason. Only what state files need.
// MPI-IO is not hidden: a file opened with a parallel access list makes the calls collective that HDF5 says are.
#pragma once
#include <hdf5.h>
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#include "core/errors.hpp"

namespace granary::h5 {

// HDF5 prints its error stack to stderr unless told not to; while one of these lives it does not.
class QuietErrors {
  public:
    QuietErrors() {
        H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    ~QuietErrors() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
    QuietErrors(const QuietErrors&) = delete;
    QuietErrors& operator=(const QuietErrors&) = delete;

  private:
    H5E_auto2_t print_ = nullptr;
    void* data_ = nullptr;
};

// The innermost, most telling entry of the error stack; to be asked before any other HDF5 call clears it.
inline std::string reason() {
    std::string text;
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_UPWARD,
        [](unsigned n, const H5E_error2_t* entry, void* out) -> herr_t {
            if (n == 0 && entry->desc) *static_cast<std::string*>(out) = entry->desc;
            return 0;
        },
        &text);
    return text.empty() ? "HDF5 gives no reason" : text;
}

[[noreturn]] inline void fail(const std::string& path, const std::string& what) {
    throw InputError(path + ": " + what);
}

// Every return value of HDF5 goes through here: negative is failure.
template <class Result> Result check(Result result, const std::string& path, const std::string& what) {
    if (result < 0) fail(path, what + ": " + reason());
    return result;
}

// An id and the function that closes it.
class Handle {
  public:
    using Close = herr_t (*)(hid_t);
    Handle() = default;
    Handle(hid_t id, Close how) : id_(id), close_(how) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Handle() { close(); }

    operator hid_t() const { return id_; }
    herr_t close() { return id_ < 0 ? 0 : close_(std::exchange(id_, -1)); }

  private:
    hid_t id_ = -1;
    Close close_ = nullptr;
};

// The types of numbers in memory and, little-endian always, in the file.
template <class T> inline constexpr bool is_file_number =
    std::is_same_v<T, double> || std::is_same_v<T, std::uint64_t> || std::is_same_v<T, std::uint32_t> ||
    std::is_same_v<T, std::uint16_t> || std::is_same_v<T, std::uint8_t>;
template <class T> hid_t memory_type() {
    static_assert(is_file_number<T>);
    if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
    else if constexpr (std::is_same_v<T, std::uint64_t>) return H5T_NATIVE_UINT64;
    else if constexpr (std::is_same_v<T, std::uint32_t>) return H5T_NATIVE_UINT32;
    else if constexpr (std::is_same_v<T, std::uint16_t>) return H5T_NATIVE_UINT16;
    else return H5T_NATIVE_UINT8;
}
template <class T> hid_t file_type() {
    static_assert(is_file_number<T>);
    if constexpr (std::is_same_v<T, double>) return H5T_IEEE_F64LE;
    else if constexpr (std::is_same_v<T, std::uint64_t>) return H5T_STD_U64LE;
    else if constexpr (std::is_same_v<T, std::uint32_t>) return H5T_STD_U32LE;
    else if constexpr (std::is_same_v<T, std::uint16_t>) return H5T_STD_U16LE;
    else return H5T_STD_U8LE;
}

// Fixed length, padded with zeros: readable by every tool and, unlike variable length, in parallel files too.
inline Handle text_type(std::size_t length) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, std::max<std::size_t>(length, 1));
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

// Extents of an attribute or dataset; none: a single value.
using Shape = std::vector<hsize_t>;

inline Handle space_of(const Shape& shape) {
    return {
        shape.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
        H5Sclose};
}
inline Shape shape_of(hid_t space) {
    if (H5Sget_simple_extent_type(space) == H5S_NULL) return {0};  // no value at all
    Shape shape(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space), 0)));
    if (!shape.empty()) H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    return shape;
}

// Texts side by side in cells of one width, as they stand in a file, and back.
inline std::vector<char> pack_texts(std::span<const std::string> texts, std::size_t width) {
    std::vector<char> cells(texts.size() * width);
    for (std::size_t k = 0; k < texts.size(); ++k)
        std::copy(texts[k].begin(), texts[k].end(), cells.begin() + k * width);
    return cells;
}
inline std::vector<std::string> unpack_texts(const std::vector<char>& cells, std::size_t width) {
    std::vector<std::string> texts;
    for (std::size_t first = 0; first < cells.size(); first += width) {
        std::string text(cells.data() + first, width);
        text.erase(text.find_last_not_of('\0') + 1);
        texts.push_back(std::move(text));
    }
    return texts;
}
inline std::size_t width_of(std::span<const std::string> texts) {
    std::size_t width = 1;
    for (const std::string& text : texts) width = std::max(width, text.size());
    return width;
}

// An open file, with its path for the messages.
class File {
  public:
    File(hid_t id, std::string path, const std::string& what) : path_(std::move(path)) {
        id_ = Handle(h5::check(id, path_, what), H5Fclose);
    }
    operator hid_t() const { return id_; }
    const std::string& path() const { return path_; }
    void close() { check(id_.close(), "cannot close the file"); }
    [[noreturn]] void fail(const std::string& what) const { h5::fail(path_, what); }
    template <class Result> Result check(Result result, const std::string& what) const {
        return h5::check(result, path_, what);
    }

    // Attributes. Each carries either numbers of one type or one text.
    template <class T> void put_numbers(hid_t object, const char* name, const Shape& shape, const T* values) const {
        put_attribute(object, name, shape, file_type<T>(), memory_type<T>(), values);
    }
    void put_text(hid_t object, const char* name, const std::string& text) const {
        const Handle type = text_type(text.size());
        put_attribute(object, name, {}, type, type,
                      pack_texts({&text, 1}, std::max<std::size_t>(text.size(), 1)).data());
    }
    template <class T> void get_numbers(hid_t object, const char* name, const Shape& shape, T* values) const {
        const Handle attribute = open_attribute(object, name);
        const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
        expect<T>(std::string("the attribute ") + name, type, shape_of(space), shape);
        check(H5Aread(attribute, memory_type<T>(), values), std::string("cannot read the attribute ") + name);
    }
    std::string get_text(hid_t object, const char* name) const {
        const Handle attribute = open_attribute(object, name);
        const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
        expect_texts(std::string("the attribute ") + name, type, shape_of(space), 0);
        std::vector<char> cell(expect_room(std::string("the attribute ") + name, type, {}));
        check(H5Aread(attribute, type, cell.data()), std::string("cannot read the attribute ") + name);
        return unpack_texts(cell, cell.size()).front();
    }

    // Datasets, whole.
    Handle new_dataset(const std::string& name, hid_t type, const Shape& shape, hid_t creation = H5P_DEFAULT) const {
        const Handle space = space_of(shape);
        return {check(H5Dcreate2(id_, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
                      "cannot create the dataset " + name),
                H5Dclose};
    }
    Handle open_dataset(const std::string& name) const {
        Handle dataset(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), H5Dclose);
        if (dataset < 0) fail("has no dataset " + name + ": the file is incomplete");
        return dataset;
    }
    Shape shape_of_dataset(hid_t dataset) const { return shape_of(Handle(H5Dget_space(dataset), H5Sclose)); }

    // Throws unless numbers of type T in this shape, or texts with this many dimensions, stand there.
    template <class T> void expect(const std::string& what, hid_t type, const Shape& shape, const Shape& wanted) const {
        if (H5Tequal(type, file_type<T>()) <= 0) fail(what + " has the wrong type of number");
        if (shape != wanted) fail(what + " has the shape " + text_of(shape) + " instead of " + text_of(wanted));
    }
    void expect_texts(const std::string& what, hid_t type, const Shape& shape, std::size_t rank) const {
        if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) || H5Tget_size(type) == 0)
            fail(what + " is not a text of fixed length");
        if (shape.size() != rank)
            fail(what + " has the shape " + text_of(shape) + " instead of " + std::to_string(rank) + " dimensions");
    }
    // The bytes of all values. Throws if the file is smaller: nobody shall reserve memory for what a file only claims
    // to hold.
    hsize_t expect_room(const std::string& what, hid_t type, const Shape& shape) const {
        hsize_t whole = 0, bytes = H5Tget_size(type);
        check(H5Fget_filesize(id_, &whole), "cannot determine the size of the file");
        for (const hsize_t extent : shape) {
            if (extent > 0 && bytes > whole / extent) bytes = whole + 1;
            else bytes *= extent;
            if (bytes > whole) break;
        }
        if (bytes > whole) fail(what + " has the shape " + text_of(shape) + ", more than the whole file holds");
        return bytes;
    }
    // The same of a dataset, all of which must also be stored.
    hsize_t expect_stored(const std::string& what, hid_t dataset, hid_t type, const Shape& shape) const {
        const hsize_t bytes = expect_room(what, type, shape);
        if (H5Dget_storage_size(dataset) != bytes) fail(what + " is not completely in the file");
        return bytes;
    }
    static std::string text_of(const Shape& shape) {
        std::string text = "(";
        for (const hsize_t extent : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
        return text + ")";
    }

  private:
    void put_attribute(hid_t object, const char* name, const Shape& shape, hid_t in_file, hid_t in_memory,
                       const void* values) const {
        const std::string what = std::string("cannot write the attribute ") + name;
        const Handle space = space_of(shape);
        const Handle attribute(check(H5Acreate2(object, name, in_file, space, H5P_DEFAULT, H5P_DEFAULT), what),
                               H5Aclose);
        check(H5Awrite(attribute, in_memory, values), what);
    }
    Handle open_attribute(hid_t object, const char* name) const {
        Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
        if (attribute < 0) fail(std::string("has no attribute ") + name + ": the file is incomplete");
        return attribute;
    }

    std::string path_;
    Handle id_;
};

}  // namespace granary::h5
