// What a run must not lose over a stop besides its bodies and contacts: numbers and texts by name. A component lists
// its members once, in a function for both ways,
//     template <class Io> void run_state(Io& io) { io("staleness.next_check", next_check_); }
// which is called with a StateSaver to write them down and with a StateLoader to get them back. Everything is the same
// on all ranks, except what is said to be a sum over ranks or to belong to layers.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>
#include "core/errors.hpp"
#include "core/vec.hpp"

namespace granary {

struct SavedState {
    std::map<std::string, std::vector<double>> reals;
    std::map<std::string, std::vector<std::uint64_t>> integers;  // flags, enums and signed numbers as well
    std::map<std::string, std::vector<std::string>> texts;
    friend bool operator==(const SavedState&, const SavedState&) = default;
};

// What is so much that only the first rank should hold it has a name with this end: the others save and load nothing
// under it.
inline constexpr const char* first_rank_end = ".of_first_rank";
inline std::string of_first_rank(const std::string& name) { return name + first_rank_end; }

// How a component that knows nothing of ranks reaches them; as it stands, for one rank alone.
struct StateRanks {
    using Layers = std::function<std::vector<double>(std::span<const double>, int width)>;
    bool first = true;  // this rank keeps what is summed over ranks
    std::function<std::uint64_t(std::uint64_t)> sum = [](std::uint64_t n) { return n; };  // over all ranks; collective
    Layers all_layers = [](auto mine, int) {
        return std::vector(mine.begin(), mine.end());
    };                              // of all ranks; collective
    Layers my_layers = all_layers;  // this rank's part of all
};

namespace saved_detail {
template <class T> inline constexpr bool is_text = std::is_same_v<T, std::string>;
template <class T> inline constexpr bool is_vec = std::is_same_v<T, Vec3d>;
template <class T> inline constexpr bool is_number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

inline void check_name(const std::string& name) {
    if (name.empty() || name.find('/') != std::string::npos)
        throw std::logic_error("saved state: a name must not be empty or hold a slash: " + name);
}
}  // namespace saved_detail

class StateSaver {
  public:
    static constexpr bool loads = false;
    explicit StateSaver(SavedState& to, StateRanks ranks = {}) : to_(to), ranks_(std::move(ranks)) {}

    template <class T> void operator()(const std::string& name, const T& value) {
        (*this)(name, std::vector<T>{value});
    }
    template <class T> void operator()(const std::string& name, const std::vector<T>& values) {
        using namespace saved_detail;
        check_name(name);
        if constexpr (is_text<T>) {
            to_.texts[name] = values;
        } else if constexpr (is_vec<T>) {
            auto& list = to_.reals[name];
            list.clear();
            for (const Vec3d& v : values) list.insert(list.end(), {v.x, v.y, v.z});
        } else if constexpr (std::is_floating_point_v<T>) {
            to_.reals[name].assign(values.begin(), values.end());
        } else {
            static_assert(is_number<T>);
            auto& list = to_.integers[name];
            list.clear();
            for (const T v : values) list.push_back(static_cast<std::uint64_t>(v));
        }
    }
    // A count of this rank that matters only summed over all; after loading the first rank has the sum. Collective.
    void sum(const std::string& name, const std::uint64_t& mine) { (*this)(name, ranks_.sum(mine)); }
    // `width` numbers for each of this rank's layers; after loading they are with whoever has the layer. Collective.
    void layers(const std::string& name, const std::vector<double>& mine, int width) {
        (*this)(name, ranks_.all_layers(mine, width));
    }

  private:
    SavedState& to_;
    StateRanks ranks_;
};

class StateLoader {
  public:
    static constexpr bool loads = true;
    explicit StateLoader(const SavedState& from, StateRanks ranks = {}) : from_(from), ranks_(std::move(ranks)) {}

    bool has(const std::string& name) const {
        return from_.reals.contains(name) || from_.integers.contains(name) || from_.texts.contains(name);
    }
    template <class T> void operator()(const std::string& name, T& value) {
        std::vector<T> values;
        (*this)(name, values);
        if (values.size() != 1)
            throw InputError("the checkpoint holds " + std::to_string(values.size()) + " values of " + name +
                             " instead of one");
        value = values.front();
    }
    template <class T> void operator()(const std::string& name, std::vector<T>& values) {
        using namespace saved_detail;
        if constexpr (is_text<T>) {
            values = find(from_.texts, name);
        } else if constexpr (is_vec<T>) {
            const auto& list = find(from_.reals, name);
            values.clear();
            for (std::size_t k = 0; k + 2 < list.size(); k += 3) values.push_back({list[k], list[k + 1], list[k + 2]});
        } else if constexpr (std::is_floating_point_v<T>) {
            const auto& list = find(from_.reals, name);
            values.assign(list.begin(), list.end());
        } else {
            static_assert(is_number<T>);
            values.clear();
            for (const std::uint64_t v : find(from_.integers, name)) values.push_back(static_cast<T>(v));
        }
    }
    void sum(const std::string& name, std::uint64_t& mine) {
        (*this)(name, mine);
        if (!ranks_.first) mine = 0;
    }
    void layers(const std::string& name, std::vector<double>& mine, int width) {
        (*this)(name, mine);
        mine = ranks_.my_layers(mine, width);
    }

  private:
    template <class Map> static const typename Map::mapped_type& find(const Map& map, const std::string& name) {
        const auto at = map.find(name);
        if (at == map.end())
            throw InputError("the checkpoint has no " + name +
                             ": it was written by another version, or for another case");
        return at->second;
    }

    const SavedState& from_;
    StateRanks ranks_;
};

}  // namespace granary
