// Clusters on which the search in two levels is tried: bodies with labels as a run gives them, the least id of the
// bodies of a piece; ids in no order; single balls between the clusters.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>
#include "scenes.hpp"

namespace granary::test {

// anywhere: clusters of all sizes, overlapping or not. nested: a hollow cluster around a small one, both around the
// same centre. touching: rows of equal clusters that just touch. coincident: several clusters of the same shape at one
// place, so that their centres are the same. large: longer than half the domain, so longer than a slab and than half a
// period. dimers: two bodies each. mixed sizes: elements from 1 to 10. one: all bodies are one cluster.
inline constexpr std::array cluster_scene_names{"anywhere", "nested", "touching",    "coincident",
                                                "large",    "dimers", "mixed sizes", "one"};

// Positions across periodic faces are put back into the domain; what is outside along other axes is left out.
class ClusterMaker {
  public:
    ClusterMaker(const Cubes& cubes, std::uint64_t seed) : domain_(cubes.domain()), lattice_(domain_), dice_(seed) {}

    void add(std::vector<std::pair<Vec3d, double>> elements) {
        std::vector<NewBody> piece;
        for (auto& [x, r] : elements) {
            for (int axis = 0; axis < 3; ++axis) {
                const double period = at(domain_.upper, axis) - at(domain_.lower, axis);
                if (!domain_.periodic[axis]) continue;
                while (at(x, axis) < at(domain_.lower, axis)) at(x, axis) += period;
                while (at(x, axis) >= at(domain_.upper, axis)) at(x, axis) -= period;
            }
            const Vec3d here = lattice_.snap(x);
            if (inside(domain_, here)) piece.push_back(ball(dice_.bits() >> 24, here, r));
        }
        Id least = no_cluster;
        for (const NewBody& b : piece) least = std::min(least, b.id);
        for (NewBody& b : piece) b.cluster = least, balls.push_back(b);
    }
    void add_single(const Vec3d& x, double r) { add({{x, r}}); }

    // n elements of radius r anywhere in a ball.
    std::vector<std::pair<Vec3d, double>> blob(const Vec3d& centre, double radius, int n, double smallest,
                                               double largest) {
        std::vector<std::pair<Vec3d, double>> elements;
        while (static_cast<int>(elements.size()) < n) {
            const Vec3d x = dice_.vector(radius);
            if (norm(x) <= radius) elements.emplace_back(centre + x, dice_.uniform(smallest, largest));
        }
        return elements;
    }
    Vec3d anywhere() { return dice_.within(domain_.lower, domain_.upper); }
    Dice& dice() { return dice_; }

    std::vector<NewBody> balls;

  private:
    Domain domain_;
    PositionLattice lattice_;
    Dice dice_;
};

inline std::vector<NewBody> cluster_scene(const std::string& name, const Cubes& cubes, std::uint64_t seed) {
    ClusterMaker make(cubes, seed);
    Dice& dice = make.dice();
    const double r = 0.25 * largest_radius;
    const Domain& d = cubes.domain();
    const Vec3d size = d.upper - d.lower, middle = 0.5 * (d.lower + d.upper);
    if (name == "anywhere") {
        for (int n = 0; n < 40; ++n)
            make.add(make.blob(make.anywhere(), dice.uniform(0.3, 1.2), 2 + dice.below(40), r, 1.5 * r));
        for (int n = 0; n < 60; ++n) make.add_single(make.anywhere(), dice.uniform(r, largest_radius));
    } else if (name == "nested") {
        for (int n = 0; n < 6; ++n) {
            const Vec3d centre = make.anywhere();
            std::vector<std::pair<Vec3d, double>> shell;
            for (int k = 0; k < 60; ++k) {
                const Vec3d way = dice.vector(1);
                shell.emplace_back(centre + 1 / std::max(0.1, norm(way)) * way, r);
            }
            make.add(shell);
            make.add(make.blob(centre, 0.7, 20, r, 2 * r));
            make.add_single(centre, largest_radius);
        }
    } else if (name == "touching") {  // crosses of seven: the distance of two spheres is exactly 2 R
        const auto end = [&](int axis) { return std::min(at(d.upper, axis), at(d.lower, axis) + 30 * r); };
        for (double z = d.lower.z; z <= end(2); z += 6 * r)
            for (double y = d.lower.y; y <= end(1); y += 6 * r)
                for (double x = d.lower.x; x <= end(0); x += 6 * r) {
                    std::vector<std::pair<Vec3d, double>> cross{{{x, y, z}, r}};
                    for (int axis = 0; axis < 3; ++axis)
                        for (const double way : {-2 * r, 2 * r}) {
                            Vec3d at_end{x, y, z};
                            at(at_end, axis) += way;
                            cross.emplace_back(at_end, r);
                        }
                    make.add(cross);
                }
    } else if (name == "coincident") {
        for (int n = 0; n < 6; ++n) {
            const auto blob = make.blob(make.anywhere(), 0.8, 30, r, r);
            for (int times = 0; times < 3; ++times) make.add(blob);
            make.add_single(blob[0].first, largest_radius);
        }
    } else if (name == "large") {
        for (int n = 0; n < 3; ++n) {  // a rod through the whole domain along each axis
            std::vector<std::pair<Vec3d, double>> rod;
            const Vec3d from = make.anywhere();
            const double length = at(size, n) * dice.uniform(0.6, 1.2);
            for (double way = 0; way < length; way += 1.5 * r) {
                Vec3d x = from;
                at(x, n) += way;
                rod.emplace_back(x, r);
            }
            make.add(rod);
        }
        make.add(make.blob(middle, 0.4 * size.z, 150, r, 2 * r));
        for (int n = 0; n < 30; ++n) make.add(make.blob(make.anywhere(), 0.6, 12, r, r));
        for (int n = 0; n < 60; ++n) make.add_single(make.anywhere(), dice.uniform(r, largest_radius));
    } else if (name == "dimers") {
        for (int n = 0; n < 150; ++n) make.add(make.blob(make.anywhere(), r, 2, r, 2 * r));
    } else if (name == "mixed sizes") {
        for (int n = 0; n < 40; ++n)
            make.add(make.blob(make.anywhere(), dice.uniform(0.5, 1), 15, 0.1 * largest_radius, largest_radius));
        for (int n = 0; n < 100; ++n)
            make.add_single(make.anywhere(), dice.uniform(0.1 * largest_radius, largest_radius));
    } else if (name == "one") {
        make.add(make.blob(middle, 0.6 * std::max({size.x, size.y, size.z}), 300, r, 2 * r));
    }
    return make.balls;
}

// Some bonds are gone: a cluster falls into pieces, each with the least id of its bodies; some bodies are alone.
inline void break_up(std::vector<NewBody>& balls, std::uint64_t seed) {
    Dice dice(seed);
    std::vector<std::pair<Id, int>> part(balls.size());
    for (std::size_t k = 0; k < balls.size(); ++k) part[k] = {balls[k].cluster, dice.below(4)};
    for (std::size_t k = 0; k < balls.size(); ++k) {
        Id least = balls[k].id;
        for (std::size_t m = 0; m < balls.size() && part[k].second != 0; ++m)
            if (part[m] == part[k]) least = std::min(least, balls[m].id);
        balls[k].cluster = least;
    }
}

// What a rank holds of balls that have labels.
inline Arranged arrange_clusters(const std::vector<NewBody>& balls, const Cubes& cubes, int first, int end) {
    Arranged a = arrange(balls, cubes, first, end);
    a.bodies.add(When::clusters);
    for (Index i = 0; i < a.bodies.size; ++i) a.bodies.cluster(i) = balls[a.copies[i].ball].cluster;
    return a;
}

}  // namespace granary::test
