#include "io/state/state_seal.hpp"
#include <fmt/format.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string_view>
#include "core/errors.hpp"
#include "io/formats/system_file.hpp"

namespace granary {

namespace {

constexpr const char* magic = "granary seal 1\n";
constexpr std::uint64_t odd_a = 0x9e3779b97f4a7c15, odd_b = 0xc2b2ae3d27d4eb4f;  // the golden ratio; a prime of xxHash

std::uint64_t mixed(std::uint64_t h, std::uint64_t word) {
    h = (h ^ word) * odd_b;
    return h ^ (h >> 32);
}

// Any bytes, in one piece.
std::uint64_t hash_of(const char* data, std::size_t n, std::uint64_t h = odd_a) {
    for (std::size_t k = 0; k < n; k += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + k, std::min<std::size_t>(8, n - k));
        h = mixed(h, word);
    }
    return mixed(h, n);
}

struct Seal {
    std::uint64_t size = 0, rest = 0;
    std::vector<SealedRows> rows;
};

[[noreturn]] void damaged(const std::string& path, const std::string& what) {
    throw InputError(path + ": is damaged: " + what);
}

std::string text_of(const Seal& s) {
    std::string text = magic + fmt::format("size {}\n", s.size);
    for (const SealedRows& r : s.rows)
        text +=
            fmt::format("rows {} offset {} bytes {} count {} sum {:016x}\n", r.name, r.offset, r.bytes, r.count, r.sum);
    return closed_seal(text + fmt::format("rest {:016x}\n", s.rest));
}

// The words of the lines of a seal, each of which must be there and nothing else: good() tells.
class SealWords {
  public:
    explicit SealWords(std::string_view text) : rest_(text) {}

    bool good() const { return good_; }
    bool at_end() const { return rest_.empty(); }
    bool starts_with(std::string_view word) const { return rest_.starts_with(word); }
    void expect(std::string_view word) {
        good_ = good_ && rest_.starts_with(word);
        if (good_) rest_.remove_prefix(word.size());
    }
    std::string name() {
        const std::string word(rest_.substr(0, rest_.find_first_of(" \n")));
        good_ = good_ && !word.empty();
        rest_.remove_prefix(word.size());
        return word;
    }
    std::uint64_t number(int base = 10) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, base);
        good_ = good_ && error == std::errc();
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }

  private:
    std::string_view rest_;
    bool good_ = true;
};

// Rows of a width that can be summed, which lie behind the seal and before the end.
bool makes_sense(const SealedRows& r, std::uint64_t size) {
    if (r.bytes != 2 && r.bytes != 4 && (r.bytes == 0 || r.bytes % 8 != 0)) return false;
    return r.offset >= seal_bytes && r.offset <= size && r.count <= (size - r.offset) / r.bytes;
}

Seal seal_in(const std::string& text, const std::string& path) {
    const std::size_t length = std::min(text.find('\0'), text.size());
    const std::size_t last = text.rfind("seal ", length), end = text.find('\n', last);
    const std::string expected =
        last == std::string::npos ? "" : fmt::format("seal {:016x}", hash_of(text.data(), last));
    if (!text.starts_with(magic) || end == std::string::npos || text.substr(last, end - last) != expected ||
        text.find_first_not_of('\0', end + 1) != std::string::npos)
        damaged(path, "the block of checksums at its beginning has changed");
    // Whoever can compute the sum of the lines can also write what makes no sense.
    Seal s;
    SealWords words(std::string_view(text).substr(std::strlen(magic), last - std::strlen(magic)));
    words.expect("size "), s.size = words.number(), words.expect("\n");
    while (words.good() && words.starts_with("rows ")) {
        SealedRows r;
        words.expect("rows "), r.name = words.name();
        words.expect(" offset "), r.offset = words.number();
        words.expect(" bytes "), r.bytes = words.number();
        words.expect(" count "), r.count = words.number();
        words.expect(" sum "), r.sum = words.number(16);
        words.expect("\n");
        if (words.good() && !makes_sense(r, s.size))
            damaged(path, fmt::format("its checksums describe {} rows of {} bytes at {} for {}, which is impossible",
                                      r.count, r.bytes, r.offset, r.name));
        s.rows.push_back(r);
    }
    words.expect("rest "), s.rest = words.number(16), words.expect("\n");
    if (!words.good() || !words.at_end()) damaged(path, "its block of checksums contains something else");
    return s;
}

void read_at(int file, void* to, std::size_t n, std::uint64_t at, const std::string& path) {
    for (std::size_t done = 0; done < n;) {
        const ssize_t now = ::pread(file, static_cast<char*>(to) + done, n - done, static_cast<off_t>(at + done));
        if (now < 0 && errno == EINTR) continue;
        if (now < 0) fail_by_system(path, "cannot read");
        if (now == 0) throw InputError(path + ": is truncated: the end of the state is missing");
        done += static_cast<std::size_t>(now);
    }
}

// Everything behind the seal that is no row.
std::uint64_t hash_of_rest(int file, const Seal& s, const std::string& path) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;
    for (const SealedRows& r : s.rows) rows.emplace_back(r.offset, r.offset + r.bytes * r.count);
    rows.emplace_back(s.size, s.size);
    std::sort(rows.begin(), rows.end());
    std::uint64_t at = seal_bytes, h = odd_a;
    std::vector<char> buffer;
    for (const auto& [begin, end] : rows) {
        if (begin < at || end > s.size) damaged(path, "the offsets of its rows are invalid");
        for (std::uint64_t n = 0; at < begin; at += n) {
            n = std::min<std::uint64_t>(begin - at, 1 << 22);
            buffer.resize(n);
            read_at(file, buffer.data(), n, at, path);
            h = hash_of(buffer.data(), n, h);
        }
        at = end;
    }
    return h;
}

std::uint64_t sum_in_file(int file, const SealedRows& r, std::uint64_t first, std::uint64_t n,
                          const std::string& path) {
    const std::uint64_t at_once = std::max<std::uint64_t>(1, (1 << 20) / r.bytes);
    std::vector<std::byte> buffer;
    std::uint64_t sum = 0;
    for (std::uint64_t k = 0; k < n; k += at_once) {
        const std::uint64_t here = std::min(at_once, n - k);
        buffer.resize(here * r.bytes);
        read_at(file, buffer.data(), buffer.size(), r.offset + (first + k) * r.bytes, path);
        sum += sum_of_rows(buffer.data(), r.bytes, first + k, here);
    }
    return sum;
}

Descriptor open_to_read(const std::string& path) {
    return {::open(path.c_str(), O_RDONLY | O_CLOEXEC), path, "cannot read the state"};
}

std::uint64_t size_of(int file, const std::string& path) {
    struct stat status {};
    if (::fstat(file, &status) != 0) fail_by_system(path, "cannot read the state");
    return static_cast<std::uint64_t>(status.st_size);
}

std::string first_bytes(int file, const std::string& path) {
    std::string text(seal_bytes, '\0');
    read_at(file, text.data(), std::min<std::uint64_t>(seal_bytes, size_of(file, path)), 0, path);
    return text;
}

void put_seal(const std::string& path, Seal s) {
    const Descriptor file = open_to_write(path);
    s.size = size_of(file, path);
    s.rest = hash_of_rest(file, s, path);
    write_all(file, text_of(s), 0, path);
}

}  // namespace

std::uint64_t sum_of_rows(const std::byte* rows, std::uint64_t bytes, std::uint64_t first, std::uint64_t n) {
    std::uint64_t sum = 0;
    const auto small = [&]<class Word>(Word word) {
        for (std::uint64_t k = 0; k < n; ++k) {
            std::memcpy(&word, rows + sizeof word * k, sizeof word);
            sum += mixed((first + k) * odd_a, word);
        }
        return sum;
    };
    if (bytes == 2) return small(std::uint16_t{});
    if (bytes == 4) return small(std::uint32_t{});
    if (bytes % 8 != 0) throw std::logic_error("rows of a state file are of 2 or 4 bytes or whole words");
    for (std::uint64_t k = 0; k < n; ++k, rows += bytes) {
        std::uint64_t h = (first + k) * odd_a;
        for (std::uint64_t b = 0; b < bytes; b += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, rows + b, 8);
            h = mixed(h, word);
        }
        sum += h;
    }
    return sum;
}

std::string closed_seal(std::string lines) {
    lines += fmt::format("seal {:016x}\n", hash_of(lines.data(), lines.size()));
    if (lines.size() > seal_bytes) throw std::logic_error("the seal of a state file has grown too long");
    lines.resize(seal_bytes, '\0');
    return lines;
}

void write_seal(const std::string& path, std::vector<SealedRows> rows) { put_seal(path, {0, 0, std::move(rows)}); }

bool has_seal(const std::string& path) {
    const Descriptor file = open_to_read(path);
    constexpr std::string_view hdf5 = "\211HDF\r\n\032\n";
    const std::string text = first_bytes(file, path);
    if (text.starts_with(hdf5)) return false;
    if (text.starts_with(std::string_view(magic).substr(0, 8))) return true;
    if (size_of(file, path) < seal_bytes + hdf5.size()) return false;
    std::string behind(hdf5.size(), '\0');
    read_at(file, behind.data(), behind.size(), seal_bytes, path);
    return behind == hdf5;  // a state all the same: its seal is broken
}

void check_seal(const std::string& path, const SealShare& share) {
    std::exception_ptr problem;
    std::vector<std::uint64_t> sums;
    Seal s;
    try {
        const Descriptor file = open_to_read(path);
        s = seal_in(first_bytes(file, path), path);
        if (size_of(file, path) < s.size) throw InputError(path + ": is truncated: the end of the state is missing");
        if (size_of(file, path) > s.size) damaged(path, "it is longer than it was written");
        if (share.part == 0 && hash_of_rest(file, s, path) != s.rest)
            damaged(path, "the checksum of names, header and texts does not match");
        for (const SealedRows& r : s.rows) {
            const std::uint64_t first =
                r.count / share.parts * share.part + std::min(r.count % share.parts, share.part);
            const std::uint64_t n = r.count / share.parts + (share.part < r.count % share.parts ? 1 : 0);
            sums.push_back(sum_in_file(file, r, first, n, path));
        }
    } catch (const std::exception&) {
        problem = std::current_exception();
    }
    if (problem) sums.clear();
    // A caller in trouble, and those who know nothing of it, sum as many numbers: as many as a seal may hold.
    std::vector<std::uint64_t> padded(seal_bytes / 8 + 1, 0);
    std::copy(sums.begin(), sums.end(), padded.begin());
    padded.back() = problem ? 1 : 0;
    padded = share.sum(padded);
    if (problem) std::rethrow_exception(problem);
    if (padded.back() != 0) damaged(path, "another rank cannot read it");
    for (std::size_t k = 0; k < s.rows.size(); ++k)
        if (padded[k] != s.rows[k].sum) damaged(path, "the checksum of " + s.rows[k].name + " does not match");
}

void seal_again(const std::string& path) {
    Seal s;
    {
        const Descriptor file = open_to_read(path);
        s = seal_in(first_bytes(file, path), path);
        for (SealedRows& r : s.rows) r.sum = sum_in_file(file, r, 0, r.count, path);
    }
    put_seal(path, s);
}

}  // namespace granary
