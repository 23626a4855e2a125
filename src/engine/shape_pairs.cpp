#include "engine/shape_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include "contact/contact_geometry.hpp"
#include "core/parallel.hpp"

namespace granary {

namespace {

constexpr double usual_share = 0.15;

}  // namespace

void ShapePairs::lend_room(PairList& pairs) {
    near_.clear(), watched_.clear(), begin_.clear(), n_all_ = 0;
    if (partner_.extent(0) > pairs.partner.extent(0)) std::swap(partner_, pairs.partner);
}

void ShapePairs::take(const Bodies& bodies, PairList& pairs, bool with_history, double skin) {
    half_skin_ = 0.5 * skin;
    const auto is_held = [&](Index i) { return bodies.has(When::held) && bodies.held(i) != 0; };
    const auto for_each_candidate = [&](auto&& f) {
        Index slot = pairs.n_bodies > 0 ? pairs.begin(0) : 0;
        for (Index i = 0; i < pairs.n_bodies; ++i) {
            const Index end = pairs.begin(i + 1);
            f(i, Range{slot, end});
            slot = end;
        }
    };
    const auto has_shape = [&](Index i, Index j) { return bodies.shape(i) != 0 || bodies.shape(j) != 0; };
    Index n_balls = 0;
    for_each_candidate([&](Index i, Range slots) {
        for (Index slot = slots.begin; slot < slots.end; ++slot)
            n_balls += has_shape(i, pairs.partner_of(slot)) ? 0 : 1;
    });
    // Those of balls go to the other room, those of shapes stay in this one; then the rooms are exchanged.
    if (partner_.extent(0) < std::size_t{n_balls} + PairList::padding)
        partner_ = untouched<Array<Index*>>("pairs::partner", n_balls + n_balls / 8 + std::size_t{1024});
    begin_.resize(std::size_t{pairs.n_bodies} + 1);
    is_partner_.assign(bodies.size, 0);
    Index n_balls_now = 0, n_others = 0;
    for_each_candidate([&](Index i, Range slots) {
        pairs.begin(i) = n_balls_now, begin_[i] = n_others;
        for (Index slot = slots.begin; slot < slots.end; ++slot) {
            const Index j = pairs.partner_of(slot);
            if (!has_shape(i, j)) partner_(n_balls_now++) = pairs.partner(slot);
            else if (!is_held(i) || !is_held(j)) {
                pairs.partner(n_others++) = j;
                is_partner_[i] = is_partner_[j] = 1;
            }
        }
    });
    begin_[pairs.n_bodies] = n_others, n_all_ = n_others;
    std::swap(partner_, pairs.partner);
    pairs.size = n_balls_now;
    pairs.finish(with_history);
}

double ShapePairs::part_of(const PlacedShapes& placed, const Bodies& bodies, Index i) const {
    return std::min(usual_share * margin_ * placed.least_half_width(bodies, i), half_skin_);
}

void ShapePairs::watch(const PlacedShapes& placed, const Bodies& bodies) {
    watched_.clear();
    for (Index i = 0; i < bodies.size; ++i) {
        if (is_partner_[i] == 0) continue;
        const double a = part_of(placed, bodies, i);
        Watched w{i, bodies.x(i), {}, a * a, 0};
        if (bodies.shape(i) != 0) {
            const double half_turn = 0.5 * a / placed.half_diagonal(bodies, i);
            w.q = orientation_of(bodies, i), w.turn_squared = half_turn * half_turn;
        }
        watched_.push_back(w);
    }
}

bool ShapePairs::is_stale(const Bodies& bodies) const {
    const auto has_used_up = [&](const Watched& w) {
        const Vec3d way = bodies.x(w.body) - w.x;
        if (!(dot(way, way) <= w.way_squared)) return true;
        if (bodies.shape(w.body) == 0) return false;
        const Quaterniond q = orientation_of(bodies, w.body);
        const Quaterniond turn{q.w - w.q.w, q.x - w.q.x, q.y - w.q.y, q.z - w.q.z};
        return !(dot(turn, turn) <= w.turn_squared);
    };
    static const std::string name = "shapes::is_list_stale";
    std::atomic<bool> stale = false;
    in_pieces(name, watched_.size(), [&](std::size_t begin, std::size_t end) {
        const std::span<const Watched> mine{watched_.data() + begin, end - begin};
        if (std::any_of(mine.begin(), mine.end(), has_used_up)) stale = true;
    });
    return stale;
}

void ShapePairs::look_for_near(const PlacedShapes& placed, const Bodies& bodies, std::span<const ShapeTouch> touches,
                               double reach) {
    near_.clear();
    ++times_made_;
    if (margin_ < 0) {
        for_each([&](Index i, Index j, Index place) { near_.push_back({i, j, place}); });
        return;
    }
    watch(placed, bodies);
    constexpr double wider = 1 + 1e-4;
    // Of the gap along the axes of `own`.
    const auto margin = [&](double a_own, double b_own, double a_other, double b_other, double apart) {
        const double turn_of_other = b_other > 0 ? a_other : 0.0;
        const double turn = b_own > 0 ? a_own / b_own : 0.0;
        return reach + wider * (a_own + a_other + turn_of_other + turn * (apart + b_other));
    };
    const auto diagonal = [&](Index i) { return bodies.shape(i) == 0 ? 0.0 : placed.half_diagonal(bodies, i); };
    const auto look = [&](Range bodies_of, std::vector<Pair>& near) {
        if (bodies_of.begin >= bodies_of.end) return;
        auto touch = std::lower_bound(touches.begin(), touches.end(), begin_[bodies_of.begin],
                                      [](const ShapeTouch& t, Index place) { return t.pair < place; });
        for_each_of(bodies_of, [&](Index i, Index j, Index place) {
            while (touch != touches.end() && touch->pair < place) ++touch;
            if (touch == touches.end() || touch->pair != place) {
                const Vec3d apart = bodies.x(i) - bodies.x(j);
                const double a_i = part_of(placed, bodies, i), a_j = part_of(placed, bodies, j);
                if (!is_within(apart, bodies.radius(i) + bodies.radius(j) + reach + wider * (a_i + a_j))) return;
                const double b_i = diagonal(i), b_j = diagonal(j), distance = norm(apart);
                if (placed.boxes_apart(bodies, i, j, apart, margin(a_i, b_i, a_j, b_j, distance),
                                       margin(a_j, b_j, a_i, b_i, distance)))
                    return;
            }
            near.push_back({i, j, place});
        });
    };
    // The first piece writes to the list itself.
    static const std::string name = "shapes::find_near_pairs";
    const std::size_t n = begin_.empty() ? 0 : begin_.size() - 1, pieces = threads_here();
    found_.resize(pieces);
    in_parallel(name, pieces, [&](std::size_t k) {
        found_[k].near.clear();
        look({static_cast<Index>(n * k / pieces), static_cast<Index>(n * (k + 1) / pieces)},
             k == 0 ? near_ : found_[k].near);
    });
    for (const Found& f : found_) near_.insert(near_.end(), f.near.begin(), f.near.end());
    near_.reserve(std::min(n_all_, near_.size() + near_.size() / 2 + 64));  // grains that close up: no step allocates
}

}  // namespace granary
