#include "walls/wall_contacts.hpp"

#include <algorithm>
#include "walls/mesh_grid.hpp"

namespace granary {

void WallContacts::find(const Bodies& bodies, std::span<const Wall> walls, double margin, std::span<const char> open,
                        std::span<const LayeredRange> ranges) {
    candidates_.clear();
    theta_.clear();
    work_.resize(std::max(ranges.size(), std::size_t{1}));
    if (walls.empty()) return;
    std::vector<BoundingBox> boxes;
    for (const Wall& wall : walls) boxes.push_back(bounding_box(wall.shape));
    static const std::string name = "walls::find_candidates";
    in_parallel(name, work_.size(), [&](std::size_t k) {
        work_[k].found.clear();
        find_in(bodies, walls, boxes, margin, open, ranges.empty() ? Range{0, bodies.size} : ranges[k].bodies,
                k == 0 ? candidates_ : work_[k].found, work_[k]);
    });
    for (Workspace& w : work_) candidates_.insert(candidates_.end(), w.found.begin(), w.found.end());
}

void WallContacts::find_in(const Bodies& bodies, std::span<const Wall> walls, std::span<const BoundingBox> boxes,
                           double margin, std::span<const char> open, Range bodies_of, std::vector<Candidate>& found,
                           Workspace& work) const {
    std::size_t most = 0;
    for (const Range& range : bodies.real)
        for (Index i = std::max(range.begin, bodies_of.begin); i < std::min(range.end, bodies_of.end); ++i) {
            const Vec3d x = bodies.x(i);
            const double reach = bodies.radius(i) + margin;
            const std::size_t first = found.size();
            for (std::uint32_t w = 0; w < walls.size(); ++w) {
                if ((!open.empty() && open[w] != 0) || !boxes[w].near(x, reach)) continue;
                if (const Mesh* mesh = std::get_if<Mesh>(&walls[w].shape))
                    for_each_triangle(*mesh, x, reach, [&](std::uint32_t t) { found.push_back({i, w, t, {}}); });
                else if (closest(walls[w].shape, x).distance < reach) found.push_back({i, w, 0, {}});
            }
            most = std::max(most, found.size() - first);
        }
    if (work.touched.size() < most) work.touched.resize(most), work.holder.resize(most);
    work.mesh.reserve(most);
}

void WallContacts::hand_on_springs(Workspace& work, std::size_t n) {
    const std::span<const WallContact> touched = work.touched;
    const std::span<Candidate* const> holder = work.holder;
    const auto rolling = [&](std::size_t k) -> std::array<double, 3>& {
        return theta_[static_cast<std::size_t>(holder[k] - candidates_.data())];
    };
    const auto has_spring = [&](std::size_t k) {
        return holder[k]->has_spring() || (!theta_.empty() && rolling(k) != std::array<double, 3>{});
    };
    for (std::size_t k = 0; k < n; ++k) {
        if (!touched[k].dropped || !has_spring(k)) continue;
        std::size_t to = n;
        double least = 0;
        for (std::size_t j = 0; j < n; ++j) {
            if (touched[j].dropped || has_spring(j) || dot(touched[j].at.normal, touched[k].at.normal) < same_direction)
                continue;
            const double way = norm(touched[j].at.point - touched[k].at.point);
            if (to == n || way < least) to = j, least = way;
        }
        if (to == n) continue;
        std::copy_n(holder[k]->xi, 3, holder[to]->xi);
        if (!theta_.empty()) rolling(to) = rolling(k);
    }
}

std::vector<ContactRecord> WallContacts::springs() const {
    std::vector<ContactRecord> found;
    found.reserve(candidates_.size() * (theta_.empty() ? 1 : 2));
    const auto take = [&](const Candidate& c, const double* xi, HistoryKind kind) {
        if (!is_dead(kind, true, xi))
            found.push_back({c.body, wall_partner(c.wall, c.place).with(kind), {xi[0], xi[1], xi[2]}});
    };
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        take(candidates_[k], candidates_[k].xi, HistoryKind::tangential);
        if (!theta_.empty()) take(candidates_[k], theta_[k].data(), HistoryKind::rolling);
    }
    return found;
}

void WallContacts::deepest(const Bodies& bodies, std::span<const Wall> walls, std::span<double> share) const {
    const Candidate* before = nullptr;
    for (const Candidate& c : candidates_) {
        const bool same_mesh = before && before->body == c.body && before->wall == c.wall;  // its next triangle
        before = &c;
        if (same_mesh) continue;
        const double r = bodies.radius(c.body);
        share[c.wall] = std::max(share[c.wall], (r - closest(walls[c.wall].shape, bodies.x(c.body)).distance) / r);
    }
}

}  // namespace granary
