#include "engine/shape_contacts.hpp"

#include <algorithm>
#include "contact/contact_geometry.hpp"
#include "core/errors.hpp"

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
    placed.prepare(setup.shapes);
}

// ---- Rebuild --------------------------------------------------------------------------------------------------------

void ShapeContacts::find(const Bodies& bodies, PairList& pairs) {
    pairs_.clear();
    touches_.clear();
    if (!possible_) return;
    placed.lay_out(bodies);
    const auto is_held = [&](Index i) { return bodies.has(When::held) && bodies.held(i) != 0; };
    for (Index i = 0; i < pairs.n_bodies; ++i)
        for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
            const Index j = pairs.partner_of(slot);
            if (bodies.shape(i) == 0 && bodies.shape(j) == 0) continue;
            pairs.mask(slot);
            if (!is_held(i) || !is_held(j)) pairs_.push_back({i, j});
        }
}

void ShapeContacts::carry(const Bodies& bodies, const Neighbourhood& hood, const ContactHistory& history,
                          std::span<const PeriodicImages::Place> places) {
    touches_.clear();
    const bool two_images = hood.cubes.has_two_along_a_period();
    for (Index p = 0; p < pairs_.size(); ++p) {
        const auto [i, j] = pairs_[p];
        const Id i_id = bodies.id(i), j_id = bodies.id(j);
        // A pair of two real bodies is noted under the smaller id, any other under its real body.
        const bool under_i = hood.is_real(bodies, i) && (i_id < j_id || !hood.is_real(bodies, j));
        const Index source = places[(under_i ? i : j) - bodies.owned.begin].old_index;
        const Id partner = under_i ? j_id : i_id;
        if (two_images && !hood.cubes.is_nearest(bodies.x(i) - bodies.x(j))) continue;  // it is at the other image
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
            t.lower = i, t.upper = j, t.pair = p;
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
    }
}

// ---- Step -----------------------------------------------------------------------------------------------------------

void ShapeContacts::find_touches(const Bodies& bodies, double reach) {
    placed.place(bodies, {0, bodies.owned.begin});
    placed.place(bodies, {bodies.owned.end, bodies.size});
    next_.clear();
    auto before = touches_.begin();
    for (Index p = 0; p < pairs_.size(); ++p) {
        const auto first = before;
        while (before != touches_.end() && before->pair == p) ++before;
        touch_pair(bodies, p, {first, before}, reach);
    }
    touches_.swap(next_);
}

void ShapeContacts::look(const Bodies& bodies, std::span<const Wall> at_walls, std::span<const WallBall> at_balls,
                         double reach) {
    std::vector<ShapeTouch> kept = touches_;
    find_touches(bodies, reach);
    for (ShapeTouch& t : kept)
        for (auto found = std::lower_bound(touches_.begin(), touches_.end(), t.pair,
                                           [](const ShapeTouch&a, Index pair) { return a.pair < pair; });
             found != touches_.end() && found->pair == t.pair; ++found)
            if (found->feature == t.feature) t.overlap = found->overlap, t.least_radius = found->least_radius;
    touches_ = std::move(kept);
    walls.look(placed, bodies, at_walls, at_balls, reach);
}

void ShapeContacts::touch_pair(const Bodies& bodies, Index p, std::span<ShapeTouch> before, double reach) {
    const auto [i, j] = pairs_[p];
    const Vec3d apart = bodies.x(i) - bodies.x(j);
    const bool acted = std::any_of(before.begin(), before.end(), [](const ShapeTouch& t) { return t.acts; });
    if (!acted) {
        if (!is_within(apart, bodies.radius(i) + bodies.radius(j) + reach)) return;
        if (placed.boxes_apart(bodies, i, j, apart, reach)) return;
    }
    const bool clump = placed.kind(bodies, i) == ShapeKind::clump || placed.kind(bodies, j) == ShapeKind::clump;
    if (clump) touch_clumps(bodies, p, before, apart, reach);
    else add(bodies, p, 0, 0, before.empty() ? nullptr : &before[0], apart, reach);
}

// One pair of parts: what it comes to is put behind the touches of this step.
void ShapeContacts::add(const Bodies& bodies, Index p, std::uint32_t part_i, std::uint32_t part_j,
                        const ShapeTouch* before, const Vec3d& apart, double reach) {
    const auto [i, j] = pairs_[p];
    const double least = std::min(placed.least_radius(bodies, i, part_i), placed.least_radius(bodies, j, part_j));
    ShapeTouch t;
    t.lower = i, t.upper = j, t.pair = p;
    t.feature = static_cast<std::uint16_t>(feature_of_balls(part_i, part_j));
    t.remembers = placed.remembers(bodies, i, j);
    if (before != nullptr) t.acts = before->acts, t.memory = before->memory, t.xi = before->xi, t.theta = before->theta;
    // A little farther than the law, so that a contact that opens is seen exactly.
    const double far = reach + (t.acts ? 0.1 * least : 0.0);
    ConvexTouch touch;
    if (!placed.touch_parts(bodies, i, part_i, j, part_j, apart, far, t.memory, touch)) {
        t.acts = false, t.xi = t.theta = {};
        t.overlap = -far - least;  // apart, by how much does not matter
        if (t.remembers && dot(t.memory, t.memory) > 0) next_.push_back(t);
        return;
    }
    t.normal = touch.normal, t.arm = touch.point, t.overlap = touch.overlap;
    t.effective_radius = touch.effective_radius, t.least_radius = least;
    t.area = touch.area, t.stored_depth = touch.stored_depth;
    if (!t.remembers) t.memory = t.normal;
    t.effective_mass = 1 / (placed.inverse_mass_at(bodies, i, t.arm, t.normal) +
                            placed.inverse_mass_at(bodies, j, t.arm + apart, t.normal));
    next_.push_back(t);
}

void ShapeContacts::touch_clumps(const Bodies& bodies, Index p, std::span<ShapeTouch> before, const Vec3d& apart,
                                 double reach) {
    const auto [i, j] = pairs_[p];
    const PlacedShapes::Parts of_i = placed.parts_of(bodies, i), of_j = placed.parts_of(bodies, j);
    // Parts of one that reach the sphere around the other. towards: from its centre to that of the other.
    const auto near_parts = [&](const PlacedShapes::Parts& parts, const Vec3d& towards, double other,
                                std::vector<std::uint32_t>& near) {
        near.clear();
        for (std::uint32_t part = 0; part < parts.count; ++part)
            if (is_within(parts.centre[part] - towards, parts.radius_of(part) + other + reach)) near.push_back(part);
    };
    near_parts(of_i, -apart, bodies.radius(j), near_i_);
    near_parts(of_j, apart, bodies.radius(i), near_j_);
    const std::size_t first = next_.size();
    const auto old_of = [&](std::uint32_t feature) -> const ShapeTouch* {
        const auto at = std::lower_bound(before.begin(), before.end(), feature,
                                         [](const ShapeTouch& t, std::uint32_t f) { return t.feature < f; });
        return at != before.end() && at->feature == feature ? &*at : nullptr;
    };
    for (const std::uint32_t b : near_j_) {
        const Vec3d from = of_j.centre[b] - apart;
        const double r = of_j.radius_of(b) + reach;
        for (const std::uint32_t a : near_i_) {
            const ShapeTouch* old = before.empty() ? nullptr : old_of(feature_of_balls(a, b));
            const double more = old != nullptr && old->acts ? 0.1 * r : 0.0;  // it is seen to open
            if (!is_within(of_i.centre[a] - from, of_i.radius_of(a) + r + more)) continue;
            add(bodies, p, a, b, old, apart, reach);
        }
    }
    hand_on_springs(bodies, before, first, apart, reach);
}

// Springs whose feature no longer touches go to the nearest new feature of the pair that has none.
void ShapeContacts::hand_on_springs(const Bodies& bodies, std::span<ShapeTouch> before, std::size_t first,
                                    const Vec3d& apart, double reach) {
    const auto touches_now = [&](const ShapeTouch& t) { return t.overlap > -reach; };
    for (const ShapeTouch& old : before) {
        if (!old.acts || (old.xi.x == 0 && old.xi.y == 0 && old.xi.z == 0)) continue;
        const auto same = std::find_if(next_.begin() + static_cast<std::ptrdiff_t>(first), next_.end(),
                                       [&](const ShapeTouch& t) { return t.feature == old.feature; });
        if (same != next_.end() && touches_now(*same)) continue;
        // Between the two parts, where they are now.
        const std::uint32_t a = own_ball(old.feature), b = ball_of_partner(old.feature);
        const Vec3d of_i = placed.part_centre(bodies, old.lower, a),
                    of_j = placed.part_centre(bodies, old.upper, b) - apart;
        const double r_i = placed.part_radius(bodies, old.lower, a), r_j = placed.part_radius(bodies, old.upper, b);
        const Vec3d point = (1 / (r_i + r_j)) * (r_j * of_i + r_i * of_j);
        ShapeTouch* to = nullptr;
        double least = 0;
        for (std::size_t k = first; k < next_.size(); ++k) {
            ShapeTouch& t = next_[k];
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
    for_each_contact([&](Index i, Index j) {
        if (!hood.is_real(bodies, i)) return;
        ++counts[1];
        if (!hood.is_real(bodies, j)) ++counts[bodies.owned.contains(j) ? 3 : 2];
    });
    for (const ShapeTouch& t : touches_)
        if (t.overlap > 0 && hood.is_real(bodies, t.lower)) deepest = std::max(deepest, t.overlap / t.least_radius);
}

}  // namespace granary
