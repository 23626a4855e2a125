// Parts of a case about grains that are made of several bodies: bonds, clusters, and what holds bodies.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "contact/bond_type.hpp"
#include "core/vec.hpp"
#include "filling/cluster_shapes.hpp"

namespace granary {

// Values in the order of the words in case_keys_clusters.cpp; so are those of BondForm, BondCriterion, ElementFilling.
enum class ClusterShape { huang, sphere, block, tablet, file, stl };
enum class HuangFit { a, b, c, d, e, f };
enum class ClusterTurn { random, upright };

// What sources ask of a kind of grain that is no ball: a cluster or a rigid shape. Worked out when the case is read, of
// its own size; all 0 if it is in a file that has not been read yet.
struct GrainForm {
    std::string name, material;  // material: empty: that of the source
    double outer_radius = 0;     // m, of the ball around its centre of mass
    // Outer radius over the radius that sources give: 1 for clusters, which are given by the balls around them; for
    // shapes over the radius of the ball of equal volume.
    double radius_factor = 1;
    double smallest = 0, largest = 0;  // m, radii of its bodies: of a cluster its elements; of a shape, see ShapeSpec
    double n_elements = 0;             // bodies of one grain
    double solid_volume = 0;           // m^3
    double own_mass = 0;               // kg; 0: that of its material

    friend bool operator==(const GrainForm&, const GrainForm&) = default;
};

// See contact/bond_type.hpp.
struct BondSpec {
    std::string name;
    BondForm form{};
    double radius_factor = 0;
    std::optional<double> young, poisson,
        shear_modulus;                                        // Pa, -, Pa; either these: E and one of the others
    std::optional<double> normal_stiffness, shear_stiffness;  // N/m^3; or these
    double damping = 0;  // share of critical damping, of each component that has none of its own
    std::optional<double> normal_damping, shear_damping, twist_damping, bending_damping;
    std::optional<double> tensile_strength, shear_strength;  // Pa; infinite: it does not break that way
    double friction = 0, moment_share = 0;
    BondCriterion criterion{};
    double weibull_modulus = 0, longest_stretch = 0;
    bool touching = false;

    friend bool operator==(const BondSpec&, const BondSpec&) = default;
};

// The keys of its shape are filled in, the rest is zero.
struct ClusterSpec : GrainForm {
    ClusterShape shape{};
    std::string bond;
    double gap = 0, max_overlap = 0;  // shares of the smaller radius, diameter
    HuangFit fit{};
    double radius = 0;                                  // m; huang, sphere: of the ball that is filled; tablet
    std::int64_t elements = 0;                          // sphere
    double element_radius = 0;                          // m; all but huang and file
    std::optional<std::array<std::int64_t, 3>> counts;  // block
    std::optional<double> spacing;                      // m, of a lattice; empty: elements touch
    double height = 0, dome = 0;                        // m; tablet
    ElementFilling filling{};                           // tablet, stl
    double solid_fraction = 0;                          // dense
    std::string file;                                   // file, stl: path, from the folder of the case resolved
    double scale = 0;                                   // m, of a length of 1 in the file
    std::optional<double> mass, density;                // kg, kg/m^3; empty: that of the elements
    ClusterTurn orientation{};

    bool has_file() const { return shape == ClusterShape::file || shape == ClusterShape::stl; }

    friend bool operator==(const ClusterSpec&, const ClusterSpec&) = default;
};

// Which grains of a source are clusters or rigid shapes: at most one of the two is named.
struct GrainUse {
    std::string cluster, shape;                 // names; both empty: all are balls
    double cluster_share = 1, shape_share = 1;  // of the grains, by number
    bool none() const { return cluster.empty() && shape.empty(); }
    double share() const { return !shape.empty() ? shape_share : cluster_share; }
    bool all() const { return !none() && share() >= 1; }
    const char* key() const { return shape.empty() ? "cluster" : "shape"; }

    friend bool operator==(const GrainUse&, const GrainUse&) = default;
};

// Bodies of the start that meet all that is given do not move, or move with a motion.
struct HoldSpec {
    std::string name;                   // may be empty
    std::string bodies;                 // name of a [[bodies]]; empty: of any
    std::optional<Vec3d> lower, upper;  // m; box that has the centre in it
    std::optional<Vec3d> centre;        // m; ball that has the centre in it
    std::optional<double> radius;       // m
    std::vector<double> ids;            // whole numbers
    std::string motion;                 // name; empty: at rest

    friend bool operator==(const HoldSpec&, const HoldSpec&) = default;
};

}  // namespace granary
