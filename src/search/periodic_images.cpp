#include "search/periodic_images.hpp"

#include <algorithm>
#include <array>
#include <string>
#include "core/parallel.hpp"
#include "core/simd.hpp"

namespace granary {

void PeriodicImages::weave(const Cubes& cubes, std::span<const Index> order, const Cube* new_cube,
                           RoomVector<Place>& places) {
    places.clear();
    const auto periodic = cubes.domain().periodic;
    if (!periodic[0] && !periodic[1]) {
        places.reserve(order.size());
        for (const Index i : order) places.push_back(Place(i));
        return;
    }

    // Eight streams of images, each in order because its offset is constant.
    struct WovenIn {
        Place place;
        Cube cube;
    };
    std::array<std::vector<WovenIn>, 9> streams;
    const auto jump = [&](Cube cube, int axis) -> int {  // +1: image behind the last cube, -1: before the first
        if (!periodic[axis]) return 0;
        const int k = digit(cube, axis);
        return k == 0 ? 1 : k == cubes.count[axis] - 1 ? -1 : 0;
    };
    std::size_t n_images = 0;
    for (const Index i : order) {
        const Cube c = new_cube[i];
        const int jx = jump(c, 0), jy = jump(c, 1);
        if (jx == 0 && jy == 0) continue;
        const auto add = [&](int x, int y) {
            const Place image(i, x != 0, y != 0);
            streams[(x + 1) + 3 * (y + 1)].push_back({image, image.cube(cubes, new_cube)});
            ++n_images;
        };
        if (jx != 0) add(jx, 0);
        if (jy != 0) add(0, jy);
        if (jx != 0 && jy != 0) add(jx, jy);
    }
    places.reserve(order.size() + n_images);
    std::array<std::size_t, 9> next{};
    // Two images never share a cube with each other's sources, so cubes alone decide.
    const auto least = [&] {
        std::size_t best = 4;  // the middle one is no image and stays empty
        for (std::size_t s = 0; s < 9; ++s)
            if (next[s] < streams[s].size() &&
                (next[best] >= streams[best].size() || streams[s][next[s]].cube < streams[best][next[best]].cube))
                best = s;
        return best;
    };
    std::size_t s = least();
    for (const Index i : order) {
        while (next[s] < streams[s].size() && streams[s][next[s]].cube < new_cube[i]) {
            places.push_back(streams[s][next[s]++].place);
            s = least();
        }
        places.push_back(Place(i));
    }
    for (; next[s] < streams[s].size(); s = least()) places.push_back(streams[s][next[s]++].place);
}

namespace {

const std::string take_order = "search::take_new_order";

// A column narrower than a quad, and where its numbers go in the memory of a spare quad.
struct Narrow {
    std::byte* data;
    std::size_t bytes, offset;
};

void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
    switch (bytes) {  // a few instructions each, no call
        case 2: std::memcpy(to, from, 2); break;
        case 8: std::memcpy(to, from, 8); break;
        default: std::memcpy(to, from, bytes);
    }
}

static_assert(std::all_of(columns.begin(), columns.end(),
                          [](const ColumnRow& row) { return row.width * bytes_of(row.number) <= 4 * sizeof(double); }),
              "a sort moves a body's numbers of a column through the memory of a quad");

// Into the spare quads in the new order and back, several columns in one pass.
void take_narrow(std::span<const Narrow> narrow, const Quads& spare, std::span<const PeriodicImages::Place> places,
                 Index offset) {
    constexpr std::size_t slot = 4 * sizeof(double);
    std::byte* const room = reinterpret_cast<std::byte*>(spare.data());
    in_pieces(take_order, places.size(), [&](std::size_t from, std::size_t to) {
        for (std::size_t p = from; p < to; ++p)
            for (const Narrow& c : narrow)
                copy_bytes(room + slot * p + c.offset, c.data + c.bytes * places[p].old_index(), c.bytes);
    });
    in_pieces(take_order, places.size(), [&](std::size_t from, std::size_t to) {
        for (std::size_t p = from; p < to; ++p)
            for (const Narrow& c : narrow)
                copy_bytes(c.data + c.bytes * (offset + p), room + slot * p + c.offset, c.bytes);
    });
}

}  // namespace

void PeriodicImages::take_new_order(Bodies& bodies, const Cubes& cubes, std::span<const Place> places,
                                    const Cube* new_cube, Index offset) {
    std::vector<Narrow> narrow;
    std::size_t filled = 0;
    const auto flush = [&] {
        if (!narrow.empty()) take_narrow(narrow, bodies.force, places, offset);
        narrow.clear(), filled = 0;
    };
    bodies.for_each_column([&]<class View>(const ColumnRow& row, View& view) {
        if (row.at_sort != AtSort::moves) return;
        if constexpr (std::is_same_v<View, Quads>) {  // changes places with the spare one
            in_pieces(take_order, places.size(), [&](std::size_t from, std::size_t to) {
                for (std::size_t p = from; p < to; ++p)
                    std::copy_n(view.data() + 4 * std::size_t{places[p].old_index()}, 4,
                                bodies.force.data() + 4 * (offset + p));
            });
            std::swap(view, bodies.force);
        }
    });
    bodies.for_each_column([&]<class View>(const ColumnRow& row, View& view) {
        if (row.at_sort != AtSort::moves || std::is_same_v<View, Quads>) return;
        const std::size_t bytes = static_cast<std::size_t>(row.width) * bytes_of(row.number);
        if (filled + bytes > 4 * sizeof(double)) flush();
        narrow.push_back({reinterpret_cast<std::byte*>(view.data()), bytes, filled});
        filled += bytes;
    });
    flush();
    in_pieces(take_order, places.size(), [&](std::size_t from, std::size_t to) {
        for (std::size_t p = from; p < to; ++p) bodies.cube(offset + p) = places[p].cube(cubes, new_cube);
    });
}

void PeriodicImages::place(const Cubes& cubes, std::span<const Place> places, Index offset, std::size_t n_old_places,
                           Bodies& bodies) {
    images_.clear();
    bodies.real.clear();
    const auto periodic = cubes.domain().periodic;
    if (!periodic[0] && !periodic[1]) {
        if (!places.empty()) bodies.real.push_back({offset, offset + static_cast<Index>(places.size())});
        return;
    }
    LentRoom room;
    room.lend(bodies.force, std::min(bodies.size, bodies.capacity()));
    RoomVector<Index> new_place(n_old_places, &room);
    for (Index p = 0; p < places.size(); ++p) {
        if (places[p].is_image()) continue;
        const Index at = offset + p;
        new_place[places[p].old_index()] = at;
        if (!bodies.real.empty() && bodies.real.back().end == at) ++bodies.real.back().end;
        else bodies.real.push_back({at, at + 1});
    }
    const auto shift = [&](Cube c, int axis) {
        const double length = at(cubes.domain().upper, axis) - at(cubes.domain().lower, axis);
        if (!periodic[axis]) return 0.0;
        return digit(c, axis) < 0 ? -length : digit(c, axis) >= cubes.count[axis] ? length : 0.0;
    };
    for (Index p = 0; p < places.size(); ++p) {
        const Cube c = bodies.cube(offset + p);
        if (places[p].is_image())
            images_.push_back({offset + p, new_place[places[p].old_index()], shift(c, 0), shift(c, 1)});
    }
    for (const Image& i : images_) bodies.position(i.image, 0) += i.shift_x, bodies.position(i.image, 1) += i.shift_y;
}

void PeriodicImages::refresh(Bodies& bodies, Range range) const {
    if (images_.empty()) return;
    auto image = std::lower_bound(images_.begin(), images_.end(), range.begin,
                                  [](const Image& a, Index b) { return a.image < b; });
    const auto end =
        std::lower_bound(image, images_.end(), range.end, [](const Image& a, Index b) { return a.image < b; });
    bodies.for_each_column([&]<class View>(const ColumnRow& row, const View& view) {
        if (row.travels != Travels::every_step) return;
        const bool shifts = row.column == Column::position;
        for (auto i = image; i != end; ++i) {
            if constexpr (std::is_same_v<View, Quads>) {
                const std::size_t to = std::size_t{4} * i->image, from = std::size_t{4} * i->source;
                const Real4 shift = shifts ? Real4{i->shift_x, i->shift_y, 0, 0} : Real4{0, 0, 0, 0};
                store4(view.data() + to, shifts ? load4(view.data() + from) + shift : load4(view.data() + from));
            } else {
                const std::size_t width = view.size() / view.extent(0);
                std::copy_n(view.data() + width * i->source, width, view.data() + width * i->image);
            }
        }
    });
}

}  // namespace granary
