// From a case, as the user wrote it, to a setup, as the simulation wants it: names become numbers, times become steps,
// axes are turned so that the slab axis is the third.
#pragma once
#include <span>
#include <string>
#include <vector>
#include "engine/setup.hpp"
#include "core/axes.hpp"
#include "io/case/case.hpp"

namespace granary {

// All but the first bodies (start_bodies.hpp). meshes: by number of the wall, of those of type "mesh" (mesh_walls.hpp).
// clusters, shapes: by number (cluster_plan.hpp, shape_plan.hpp), in the axes of the user. Throws InputError for what
// only shows here, such as files that cannot be read.
Setup make_setup(const Case& c, std::span<const Mesh> meshes = {}, std::vector<ClusterTemplate> clusters = {},
                 const std::vector<ShapeTemplate>& shapes = {});

// The insertions that belong to no stage, for the step of the setup.
std::vector<InsertionSpec> inlets_of(const Case& c, const Setup& setup);

// A material of the case by its name.
struct MaterialOfCase {
    std::uint16_t number = 0;
    double density = 0;
};
MaterialOfCase material_of(const Case& c, const std::string& name);

// What the balls of one source have in common, in the user's axes.
BallKind ball_kind(const Case& c, const RadiusSpec& radii, const std::string& material, const MixSpec& mix,
                   const GrainUse& grains, const Vec3d& velocity);
template <class Source> BallKind ball_kind(const Case& c, const Source& s) {
    return ball_kind(c, s.radii, s.material, s.mix, s.grains, s.velocity);
}

}  // namespace granary
