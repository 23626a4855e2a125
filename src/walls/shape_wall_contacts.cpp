#include "walls/shape_wall_contacts.hpp"

#include <iterator>

namespace granary {

namespace {

// Of a feature at a wall.
constexpr std::uint32_t part_of(std::uint32_t feature) { return feature & 255; }
constexpr std::uint32_t feature_of(std::uint32_t part, std::uint32_t number) { return part | number << 8; }

}  // namespace

void ShapeWallContacts::take(std::vector<Candidate>& all, std::vector<WallBallCandidate>& all_at_balls,
                             const Bodies& bodies) {
    const auto is_shape = [&](const auto& c) { return bodies.shape(c.body) != 0; };
    candidates_.clear(), at_balls_.clear();
    std::copy_if(all.begin(), all.end(), std::back_inserter(candidates_), is_shape);
    std::copy_if(all_at_balls.begin(), all_at_balls.end(), std::back_inserter(at_balls_), is_shape);
    std::erase_if(all, is_shape);
    std::erase_if(all_at_balls, is_shape);
}

void ShapeWallContacts::take_over(Index body, std::span<const ContactHistory::Entry> entries) {
    const auto first = static_cast<std::ptrdiff_t>(touches_.size());
    for (const ContactHistory::Entry& e : entries) {
        if (e.partner.of() != PartnerClass::wall || e.partner.kind() != HistoryKind::contact_point) continue;
        ShapeWallTouch t;
        t.body = body, t.feature = e.partner.feature(), t.acts = true;
        t.at.wall = static_cast<std::uint32_t>(e.partner.number()), t.at.part = part_of(t.feature);
        t.at.arm = {e.xi[0], e.xi[1], e.xi[2]};
        for (const ContactHistory::Entry& s : entries)
            if (s.partner == e.partner.with(HistoryKind::tangential)) t.xi = {s.xi[0], s.xi[1], s.xi[2]};
            else if (s.partner == e.partner.with(HistoryKind::rolling)) t.theta = {s.xi[0], s.xi[1], s.xi[2]};
        touches_.push_back(t);
    }
    std::sort(touches_.begin() + first, touches_.end(), [](const ShapeWallTouch& a, const ShapeWallTouch& b) {
        return a.at.wall != b.at.wall ? a.at.wall < b.at.wall : a.feature < b.feature;
    });
}

std::vector<ContactRecord> ShapeWallContacts::records() const {
    std::vector<ContactRecord> all;
    for (const ShapeWallTouch& t : touches_) {
        if (!t.acts) continue;
        const Partner partner = wall_partner(t.at.wall, t.feature);
        all.push_back({t.body, partner.with(HistoryKind::contact_point), {t.at.arm.x, t.at.arm.y, t.at.arm.z}});
        const double xi[3] = {t.xi.x, t.xi.y, t.xi.z};
        if (!is_zero(xi)) all.push_back({t.body, partner.with(HistoryKind::tangential), {xi[0], xi[1], xi[2]}});
        const double theta[3] = {t.theta.x, t.theta.y, t.theta.z};
        if (!is_zero(theta))
            all.push_back({t.body, partner.with(HistoryKind::rolling), {theta[0], theta[1], theta[2]}});
    }
    return all;
}

void ShapeWallContacts::find_touches(const PlacedShapes& placed, const Bodies& bodies, std::span<const Wall> walls,
                                     std::span<const WallBall> balls, double reach,
                                     std::span<const LayeredRange> ranges) {
    static const std::string name = "walls::narrow_phase_of_shapes";
    work_.resize(std::max(ranges.size(), std::size_t{1}));
    in_parallel(name, work_.size(), [&](std::size_t k) {
        find_in(placed, bodies, walls, balls, reach, ranges.empty() ? everybody : ranges[k].bodies, work_[k]);
    });
    touches_.swap(work_.front().next);
    for (std::size_t k = 1; k < work_.size(); ++k)
        touches_.insert(touches_.end(), work_[k].next.begin(), work_[k].next.end());
}

void ShapeWallContacts::find_in(const PlacedShapes& placed, const Bodies& bodies, std::span<const Wall> walls,
                                std::span<const WallBall> balls, double reach, Range range, Workspace& work) const {
    std::vector<ShapeWallTouch>& next = work.next;
    next.clear();
    std::size_t before = CandidatesOf<ShapeWallTouch>(touches_, range).begin;
    for_each_body(range, [&](Index i, std::span<const Candidate> near, std::span<const WallBallCandidate> near_balls) {
        const std::size_t old = before;
        while (before < touches_.size() && touches_[before].body == i) ++before;
        // A little farther than the law where it acted, so that a contact that opens is seen exactly.
        const double far = reach + (old != before ? 0.05 * bodies.radius(i) : 0.0);
        work.found.clear();
        work.geometry.find(placed, bodies, i, near, walls, near_balls, balls, far, work.found);
        const std::size_t first = next.size();
        for (const ShapeAtWall& at : work.found) {
            ShapeWallTouch t;
            t.body = i, t.at = at;
            next.push_back(t);
        }
        match({touches_.data() + old, before - old}, first, reach, work);
        for (std::size_t k = first; k < next.size(); ++k)
            next[k].effective_mass = 1 / placed.inverse_mass_at(bodies, i, next[k].at.arm, next[k].at.normal);
    });
}

void ShapeWallContacts::look(const PlacedShapes& placed, const Bodies& bodies, std::span<const Wall> walls,
                             std::span<const WallBall> balls, double reach) {
    std::vector<ShapeWallTouch> kept = touches_;
    find_touches(placed, bodies, walls, balls, reach);
    for (ShapeWallTouch& t : kept)
        for (auto found = std::lower_bound(touches_.begin(), touches_.end(), t.body,
                                           [](const ShapeWallTouch&a, Index body) { return a.body < body; });
             found != touches_.end() && found->body == t.body; ++found)
            if (found->at.wall == t.at.wall && found->feature == t.feature)
                t.at.overlap = found->at.overlap, t.at.least_radius = found->at.least_radius;
    touches_ = std::move(kept);
}

// Those of one body, behind `first`, find their springs; each gets a feature that nobody else of its part and wall has.
// What neither acted nor will act goes. In the order of walls and features at the end.
void ShapeWallContacts::match(std::span<const ShapeWallTouch> before, std::size_t first, double reach,
                              Workspace& work) {
    std::vector<ShapeWallTouch>& next = work.next;
    std::vector<char>& used = work.used;
    const std::span<ShapeWallTouch> now{next.data() + first, next.size() - first};
    used.assign(before.size(), 0);
    constexpr std::uint32_t none = ~std::uint32_t{0};
    for (ShapeWallTouch& t : now) t.feature = none;
    // The nearest two of all, again and again, so that the order in which they were found does not matter.
    const auto pair_up = [&](auto&& may) {
        for (;;) {
            std::size_t best_old = before.size(), best_new = now.size();
            double least = 0;
            for (std::size_t o = 0; o < before.size(); ++o)
                for (std::size_t k = 0; k < now.size() && used[o] == 0; ++k) {
                    if (now[k].acts || !may(before[o], now[k])) continue;
                    const double way = norm(before[o].at.arm - now[k].at.arm);
                    if (best_old == before.size() || way < least) best_old = o, best_new = k, least = way;
                }
            if (best_old == before.size()) return;
            used[best_old] = 1;
            now[best_new].acts = before[best_old].acts, now[best_new].xi = before[best_old].xi;
            now[best_new].theta = before[best_old].theta;
            if (before[best_old].at.wall == now[best_new].at.wall && before[best_old].at.part == now[best_new].at.part)
                now[best_new].feature = before[best_old].feature;
        }
    };
    pair_up([](const ShapeWallTouch& a, const ShapeWallTouch& b) {
        return a.acts && a.at.wall == b.at.wall && a.at.part == b.at.part;
    });
    pair_up([&](const ShapeWallTouch& a, const ShapeWallTouch& b) { return a.acts && b.at.overlap > -reach; });
    for (ShapeWallTouch& t : now) {
        std::uint32_t number = 0;
        const auto is_taken = [&](std::uint32_t n) {
            return std::any_of(now.begin(), now.end(), [&](const ShapeWallTouch& o) {
                return o.at.wall == t.at.wall && o.feature == feature_of(t.at.part, n);
            });
        };
        if (t.feature != none) continue;
        while (is_taken(number)) ++number;
        t.feature = feature_of(t.at.part, number);
    }
    const auto begin = next.begin() + static_cast<std::ptrdiff_t>(first);
    next.erase(
        std::remove_if(begin, next.end(), [&](const ShapeWallTouch& t) { return !t.acts && !(t.at.overlap > -reach); }),
        next.end());
    std::sort(begin, next.end(), [](const ShapeWallTouch& a, const ShapeWallTouch& b) {
        return a.at.wall != b.at.wall ? a.at.wall < b.at.wall : a.feature < b.feature;
    });
}

}  // namespace granary
