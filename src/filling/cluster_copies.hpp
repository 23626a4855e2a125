// Copies of cluster templates: from a grain, a ball with a place, a size and a mass, to the elements of its cluster and
// the bonds between them. Element k of a grain has the id of the grain plus k, so any rank makes any part and gets the
// same. All elements have the orientation of the grain, so that the relative rotation of a new bond is none, and its
// reference vector in the frame that turns with the bodies is that of the template. Lengths in the axes of the user;
// turned_in turns them.
#pragma once
#include <cstdint>
#include <vector>
#include "core/axes.hpp"
#include "core/bodies.hpp"
#include "core/contact_history.hpp"
#include "core/contact_record.hpp"
#include "filling/cluster_template.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

// Unit quaternion, evenly distributed over all rotations, drawn for the grain of this id: a place in the cube [-1, 1]^4
// that lies in the unit ball, moved to its surface.
void turn_at_random(NewBody& grain, std::uint64_t seed);

// The same about one axis x, y, z = 0, 1, 2.
void turn_at_random_about(int axis, NewBody& grain, std::uint64_t seed);

// Of a rigid shape that is not turned at random: as its user has drawn it.
inline void stand_as_given(NewBody& grain, const ShapeTemplate& shape) {
    const Quaterniond& q = shape.as_given;
    grain.orientation[0] = q.w, grain.orientation[1] = q.x, grain.orientation[2] = q.y, grain.orientation[3] = q.z;
}

// Element k of a grain: radius and mass scaled to the grain's, velocity that of a rigid body, v + spin x r.
NewBody element_of(const ClusterTemplate& shape, const NewBody& grain, std::uint32_t k);

// Whose strengths are drawn, and when bonds were made.
struct BondMaking {
    std::uint64_t seed = 0;
    double time = 0;  // s
};
// What element k remembers of its bonds: of each partner the kinds bond and bond_nature.
void add_bonds_of(const ClusterTemplate& shape, const NewBody& grain, std::uint32_t k, const BondMaking& making,
                  std::vector<ContactHistory::Entry>& to);
// The same for one bond, once for both elements.
inline constexpr std::size_t records_of_bond = 2;
void add_records_of(const ClusterTemplate& shape, const NewBody& grain, std::uint32_t bond, const BondMaking& making,
                    std::vector<ContactRecord>& to);

// Factor of strength of the bond of two ids: (-ln u)^(1/m), Weibull's distribution of modulus m and scale 1. The
// strength that a case gives is the scale, which the share 1 - 1/e of the bonds does not reach; the mean is Gamma(1 +
// 1/m) of it. Logarithm and exponential are series of + - * /, so that the factor has the same bits on every machine. m
// = 0: 1.
double strength_factor(Id one, Id other, double modulus, std::uint64_t seed);

// In the axes inside.
inline NewBody turned_in(NewBody b, const Axes& axes) {
    b.position = axes.in(b.position), b.velocity = axes.in(b.velocity), b.spin = axes.in(b.spin);
    axes.turn_in(b.orientation + 1);
    return b;
}
inline void turn_in(const Axes& axes, ContactHistory::Entry& e) {
    if (row_of(e.partner.kind()).vector) axes.turn_in(e.xi);
}

}  // namespace granary
