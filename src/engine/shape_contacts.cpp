#include "engine/shape_contacts.hpp"

#include <algorithm>
#include "contact/contact_geometry.hpp"
#include "core/errors.hpp"
#include "core/parallel.hpp"

namespace granary {

void ShapeContacts::prepare(const Setup& setup, const ContactModel::Facts& law) {
    possible_ = !setup.shapes.empty();
    if (!possible_) return;
    if (setup.integrator == Integrator::gear)
        throw InputError("shapes other than balls cannot be moved by the integrator \"gear\"; use \"verlet\"");
    if (law.rolls)
        throw InputError(
            "rolling friction is defined for balls only, and this run has shapes, which resist rolling by their form; "
            "use a law without rolling friction");
    placed.prepare(setup.shapes, setup.law.curvature == LawSettings::Curvature::volume);
    pairs_.prepare(setup.near_margin);
}

// ---- Rebuild --------------------------------------------------------------------------------------------------------

void ShapeContacts::find(const Bodies& bodies, PairList& pairs, bool with_history, double skin) {
    touches_.clear();
    placed.lay_out(bodies);
    pairs_.take(bodies, pairs, with_history, skin);
}

void ShapeContacts::carry(const Bodies& bodies, const Neighbourhood& hood, const ContactHistory& history,
                          std::span<const PeriodicImages::Place> places, double reach) {
    touches_.clear();
    const bool two_images = hood.cubes.has_two_along_a_period();
    pairs_.for_each([&](Index i, Index j, Index place) {
        const Id i_id = bodies.id(i), j_id = bodies.id(j);
        // A pair of two real bodies is noted under the smaller id, any other under its real body.
        const bool under_i = hood.is_real(bodies, i) && (i_id < j_id || !hood.is_real(bodies, j));
        const Index source = places[(under_i ? i : j) - bodies.owned.begin].old_index();
        const Id partner = under_i ? j_id : i_id;
        if (two_images && !hood.cubes.is_nearest(bodies.x(i) - bodies.x(j))) return;  // it is at the other image
        const auto first = static_cast<std::ptrdiff_t>(touches_.size());
        for (const ContactHistory::Entry& e : history.of(source)) {
            if (!e.partner.is_body() || e.partner.number() != partner ||
                e.partner.kind() != HistoryKind::contact_normal)
                continue;
            const auto seen = [&](const double* v) {
                const double sign = under_i ? 1.0 : -1.0;
                return Vec3d{sign * v[0], sign * v[1], sign * v[2]};
            };
            ShapeTouch t;
            t.lower = i, t.upper = j, t.pair = place;
            t.feature =
                static_cast<std::uint16_t>(under_i ? e.partner.feature() : exchanged_feature(e.partner.feature()));
            const Vec3d normal = seen(e.xi);
            t.acts = dot(normal, normal) > 0.5;
            t.memory = t.acts ? normal : 2.0 * normal;
            t.remembers = placed.remembers(bodies, i, j);
            if (const double* xi = history.find(source, e.partner.with(HistoryKind::tangential))) t.xi = seen(xi);
            if (const double* xi = history.find(source, e.partner.with(HistoryKind::rolling))) t.theta = seen(xi);
            touches_.push_back(t);
        }
        std::sort(touches_.begin() + first, touches_.end(),
                  [](const ShapeTouch& a, const ShapeTouch& b) { return a.feature < b.feature; });
    });
    pairs_.look_for_near(placed, bodies, touches_, reach);
}

// ---- Step -----------------------------------------------------------------------------------------------------------

void ShapeContacts::find_touches(const Bodies& bodies, double reach, std::size_t pieces) {
    place(bodies, {0, bodies.owned.begin});
    place(bodies, {bodies.owned.end, bodies.size});
    if (pairs_.is_stale(bodies)) pairs_.look_for_near(placed, bodies, touches_, reach);
    static const std::string name = "shapes::narrow_phase";
    const std::span<const Pair> near = pairs_.near();
    work_.resize(std::max(pieces, std::size_t{1}));
    in_parallel(name, work_.size(), [&](std::size_t k) {
        const std::size_t begin = near.size() * k / work_.size(), end = near.size() * (k + 1) / work_.size();
        touch_piece(bodies, near.subspan(begin, end - begin), reach, work_[k]);
    });
    touches_.swap(work_.front().next);
    for (std::size_t k = 1; k < work_.size(); ++k)
        touches_.insert(touches_.end(), work_[k].next.begin(), work_[k].next.end());
}

void ShapeContacts::place(const Bodies& bodies, Range range) {
    static const std::string name = "shapes::place";
    in_pieces(name, range.size(), [&](std::size_t begin, std::size_t end) {
        placed.place(bodies, {range.begin + static_cast<Index>(begin), range.begin + static_cast<Index>(end)});
    });
}

void ShapeContacts::touch_piece(const Bodies& bodies, std::span<const Pair> near, double reach, Workspace& work) {
    work.next.clear();
    if (near.empty()) return;
    const std::span<const ShapeTouch> all = touches_;
    auto before = std::lower_bound(all.begin(), all.end(), near.front().place,
                                   [](const ShapeTouch& t, Index place) { return t.pair < place; });
    for (const Pair& p : near) {
        const auto first = before;
        while (before != all.end() && before->pair == p.place) ++before;
        touch_pair(bodies, p, {first, before}, reach, work);
    }
    solve_waiting(bodies, work);
}

void ShapeContacts::add_forces(const ContactModel& law, Bodies& bodies, std::span<const LayeredRange> ranges, double dt,
                               EnergyWatch* watch) {
    static const std::string across = "shapes::law_across_ranges", within = "shapes::law_within_ranges";
    using Part = ShapeTouchRange::Part;
    ranges_.resize(ranges.size());
    for (std::size_t k = 0; k < ranges.size(); ++k) ranges_[k].range = ranges[k];
    if (ranges.size() > 1)
        in_parallel(across, ranges.size() - 1, [&](std::size_t k) {
            law.add_shape_forces(ranges_[k], bodies, touches_, Part::across, dt, watch);
        });
    in_parallel(within, ranges.size(),
                [&](std::size_t k) { law.add_shape_forces(ranges_[k], bodies, touches_, Part::within, dt, watch); });
}

void ShapeContacts::look(const Bodies& bodies, std::span<const Wall> at_walls, std::span<const WallBall> at_balls,
                         double reach) {
    std::vector<ShapeTouch> kept = touches_;
    find_touches(bodies, reach, 1);
    for (ShapeTouch& t : kept)
        for (auto found = std::lower_bound(touches_.begin(), touches_.end(), t.pair,
                                           [](const ShapeTouch&a, Index pair) { return a.pair < pair; });
             found != touches_.end() && found->pair == t.pair; ++found)
            if (found->feature == t.feature) t.overlap = found->overlap, t.least_radius = found->least_radius;
    touches_ = std::move(kept);
    walls.look(placed, bodies, at_walls, at_balls, reach);
}

void ShapeContacts::touch_pair(const Bodies& bodies, const Pair& p, std::span<const ShapeTouch> before, double reach,
                               Workspace& work) const {
    const auto [i, j, place] = p;
    const Vec3d apart = bodies.x(i) - bodies.x(j);
    const bool acted = std::any_of(before.begin(), before.end(), [](const ShapeTouch& t) { return t.acts; });
    if (!acted) {
        if (!is_within(apart, bodies.radius(i) + bodies.radius(j) + reach)) return;
        if (placed.boxes_apart(bodies, i, j, apart, reach, reach)) return;
    }
    const bool clump = placed.kind(bodies, i) == ShapeKind::clump || placed.kind(bodies, j) == ShapeKind::clump;
    if (clump) touch_clumps(bodies, p, before, apart, reach, work);
    else add(bodies, p, 0, 0, before.empty() ? nullptr : &before[0], apart, reach, work);
}

// One pair of parts: what it comes to is put behind the touches of this step.
void ShapeContacts::add(const Bodies& bodies, const Pair& p, std::uint32_t part_i, std::uint32_t part_j,
                        const ShapeTouch* before, const Vec3d& apart, double reach, Workspace& work) const {
    const auto [i, j, place] = p;
    const double least = std::min(placed.least_radius(bodies, i, part_i), placed.least_radius(bodies, j, part_j));
    ShapeTouch t;
    t.lower = i, t.upper = j, t.pair = place;
    t.feature = static_cast<std::uint16_t>(feature_of_balls(part_i, part_j));
    t.remembers = placed.remembers(bodies, i, j), t.least_radius = least;
    if (before != nullptr) t.acts = before->acts, t.memory = before->memory, t.xi = before->xi, t.theta = before->theta;
    // A little farther than the law, so that a contact that opens is seen exactly.
    const double far = reach + (t.acts ? 0.1 * least : 0.0);
    if (t.remembers && placed.kind(bodies, i) == ShapeKind::ellipsoid && !(t.memory == Vec3d{})) {
        work.waiting[work.n_waiting++] = {work.next.size(), far};
        work.next.push_back(t);
        if (work.n_waiting == work.waiting.size()) solve_waiting(bodies, work);
        return;
    }
    ConvexTouch touch;
    const bool is_near = placed.touch_parts(bodies, i, part_i, j, part_j, apart, far, t.memory, touch);
    if (take(bodies, t, is_near, touch, apart, far)) work.next.push_back(t);
}

bool ShapeContacts::take(const Bodies& bodies, ShapeTouch& t, bool is_near, const ConvexTouch& touch,
                         const Vec3d& apart, double far) const {
    if (!is_near) {
        t.acts = false, t.xi = t.theta = {};
        t.overlap = -far - t.least_radius;  // apart, by how much does not matter
        return t.remembers && dot(t.memory, t.memory) > 0;
    }
    t.normal = touch.normal, t.arm = touch.point, t.overlap = touch.overlap;
    t.effective_radius = touch.effective_radius;
    t.area = touch.area, t.stored_depth = touch.stored_depth, t.patch = touch.patch;
    if (!t.remembers) t.memory = t.normal;
    t.effective_mass = 1 / (placed.inverse_mass_at(bodies, t.lower, t.arm, t.normal) +
                            placed.inverse_mass_at(bodies, t.upper, t.arm + apart, t.normal));
    return true;
}

void ShapeContacts::solve_waiting(const Bodies& bodies, Workspace& work) const {
    if (work.n_waiting == 0) return;
    PlacedShapes::EllipsoidLanes lanes;
    for (std::size_t k = 0; k < 4; ++k) {  // a lane that is not needed repeats the first
        const Waiting& w = work.waiting[k < work.n_waiting ? k : 0];
        const ShapeTouch& t = work.next[w.touch];
        lanes.lower[k] = t.lower, lanes.upper[k] = t.upper;
        lanes.apart[k] = bodies.x(t.lower) - bodies.x(t.upper);
        lanes.far[k] = w.far, lanes.memory[k] = t.memory;
    }
    const unsigned near = placed.touch_ellipsoid_pairs(lanes);
    for (std::size_t k = 0; k < work.n_waiting; ++k) {
        ShapeTouch& t = work.next[work.waiting[k].touch];
        t.memory = lanes.memory[k];
        take(bodies, t, (near >> k & 1) != 0, lanes.touch[k], lanes.apart[k], lanes.far[k]);
    }
    work.n_waiting = 0;
}

void ShapeContacts::touch_clumps(const Bodies& bodies, const Pair& p, std::span<const ShapeTouch> before,
                                 const Vec3d& apart, double reach, Workspace& work) const {
    const auto [i, j, place] = p;
    const PlacedShapes::Parts of_i = placed.parts_of(bodies, i), of_j = placed.parts_of(bodies, j);
    // Parts of one that reach the sphere around the other. towards: from its centre to that of the other.
    const auto near_parts = [&](const PlacedShapes::Parts& parts, const Vec3d& towards, double other,
                                std::vector<std::uint32_t>& near) {
        near.clear();
        for (std::uint32_t part = 0; part < parts.count; ++part)
            if (is_within(parts.centre[part] - towards, parts.radius_of(part) + other + reach)) near.push_back(part);
    };
    near_parts(of_i, -apart, bodies.radius(j), work.near_i);
    near_parts(of_j, apart, bodies.radius(i), work.near_j);
    const std::size_t first = work.next.size();
    const auto old_of = [&](std::uint32_t feature) -> const ShapeTouch* {
        const auto at = std::lower_bound(before.begin(), before.end(), feature,
                                         [](const ShapeTouch& t, std::uint32_t f) { return t.feature < f; });
        return at != before.end() && at->feature == feature ? &*at : nullptr;
    };
    for (const std::uint32_t b : work.near_j) {
        const Vec3d from = of_j.centre[b] - apart;
        const double r = of_j.radius_of(b) + reach;
        for (const std::uint32_t a : work.near_i) {
            const ShapeTouch* old = before.empty() ? nullptr : old_of(feature_of_balls(a, b));
            const double more = old != nullptr && old->acts ? 0.1 * r : 0.0;  // it is seen to open
            if (!is_within(of_i.centre[a] - from, of_i.radius_of(a) + r + more)) continue;
            add(bodies, p, a, b, old, apart, reach, work);
        }
    }
    hand_on_springs(bodies, before, first, apart, reach, work);
}

// Springs whose feature no longer touches go to the nearest new feature of the pair that has none.
void ShapeContacts::hand_on_springs(const Bodies& bodies, std::span<const ShapeTouch> before, std::size_t first,
                                    const Vec3d& apart, double reach, Workspace& work) const {
    std::vector<ShapeTouch>& next = work.next;
    const auto touches_now = [&](const ShapeTouch& t) { return t.overlap > -reach; };
    for (const ShapeTouch& old : before) {
        if (!old.acts || (old.xi.x == 0 && old.xi.y == 0 && old.xi.z == 0)) continue;
        const auto same = std::find_if(next.begin() + static_cast<std::ptrdiff_t>(first), next.end(),
                                       [&](const ShapeTouch& t) { return t.feature == old.feature; });
        if (same != next.end() && touches_now(*same)) continue;
        // Between the two parts, where they are now.
        const std::uint32_t a = own_ball(old.feature), b = ball_of_partner(old.feature);
        const Vec3d of_i = placed.part_centre(bodies, old.lower, a),
                    of_j = placed.part_centre(bodies, old.upper, b) - apart;
        const double r_i = placed.part_radius(bodies, old.lower, a), r_j = placed.part_radius(bodies, old.upper, b);
        const Vec3d point = (1 / (r_i + r_j)) * (r_j * of_i + r_i * of_j);
        ShapeTouch* to = nullptr;
        double least = 0;
        for (std::size_t k = first; k < next.size(); ++k) {
            ShapeTouch& t = next[k];
            if (!touches_now(t) || t.acts || t.xi.x != 0 || t.xi.y != 0 || t.xi.z != 0) continue;
            const double way = norm(t.arm - point);
            if (to == nullptr || way < least) to = &t, least = way;
        }
        if (to != nullptr) to->xi = old.xi;  // the law lays it into its tangent plane
    }
}

// ---- To be asked ----------------------------------------------------------------------------------------------------

void ShapeContacts::count_contacts(const Bodies& bodies, const Neighbourhood& hood, std::uint64_t* counts,
                                   double& deepest) const {
    pairs_.for_each([&](Index i, Index, Index) { counts[0] += hood.is_real(bodies, i) ? 1 : 0; });
    for_each_contact([&](Index i, Index j) {
        if (!hood.is_real(bodies, i)) return;
        ++counts[1];
        if (!hood.is_real(bodies, j)) ++counts[bodies.owned.contains(j) ? 3 : 2];
    });
    for (const ShapeTouch& t : touches_)
        if (t.overlap > 0 && hood.is_real(bodies, t.lower)) deepest = std::max(deepest, t.overlap / t.least_radius);
}

}  // namespace granary
