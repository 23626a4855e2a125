// Files of clusters: lists of elements, and drawings that elements fill.
#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <cmath>
#include <limits>
#include <string>
#include "core/errors.hpp"
#include "fuzz/harness.hpp"
#include "io/case/case.hpp"
#include "io/formats/stl_file.hpp"
#include "plan/cluster_plan.hpp"

namespace granary::fuzz {
namespace {

// One cluster, whose file and size are filled in.
std::string text_with_cluster(const std::string& shape) {
    return R"([run]
dt = 1e-6
steps = 1
[domain]
lower = [-1.0, -1.0, -1.0]
upper = [1.0, 1.0, 1.0]
[[materials]]
name = "rock"
density = 2500.0
young = 5e6
poisson = 0.3
restitution = 0.5
friction = 0.5
[[bonds]]
name = "glue"
young = 1e7
poisson = 0.25
tensile_strength = 1e6
shear_strength = 1e6
[[bodies]]
source = "cluster"
copy_of = "egg"
material = "rock"
position = [0.0, 0.0, 0.0]
[[clusters]]
name = "egg"
file = "egg"
bond = "glue"
)" + shape;
}

struct CaseWithCluster {
    explicit CaseWithCluster(const std::string& shape)
        : text(text_with_cluster(shape)),
          c(read_case(text, "fuzz.toml")),
          places(text, "fuzz.toml") {}
    std::string text;
    Case c;
    CasePlaces places;
};

void load(const CaseWithCluster& from, double element_radius) {
    try {
        Case c = from.c;
        c.clusters[0].file = one_file().path();
        if (element_radius > 0) c.clusters[0].element_radius = element_radius;
        for (const ClusterTemplate& t : load_clusters(boost::mpi::communicator(), c, from.places)) {
            must(std::isfinite(t.outer_radius) && t.outer_radius > 0 && t.solid_volume > 0, "a cluster has a size");
            must(t.elements.size() < 2 || !t.bonds.empty(), "a cluster is in one piece");
            for (const ClusterTemplate::Bond& b : t.bonds)
                must(b.a < b.b && b.b < t.elements.size(), "a bond joins two elements");
        }
    } catch (const InputError&) {}
}

// Of a drawing: the largest coordinate, and the least extent along an axis; 0: it is none.
struct DrawingSize {
    double largest = 0, thinnest = 0;
};

DrawingSize size_of_drawing(Bytes bytes) {
    try {
        constexpr double far = std::numeric_limits<double>::max();
        Vec3d lower{far, far, far}, upper{-far, -far, -far};
        for (const Corners& t : parse_stl(bytes, "fuzz.stl"))
            for (const Vec3d& p : t)
                for (int axis = 0; axis < 3; ++axis) {
                    at(lower, axis) = std::min(at(lower, axis), at(p, axis));
                    at(upper, axis) = std::max(at(upper, axis), at(p, axis));
                }
        DrawingSize size{0, far};
        for (int axis = 0; axis < 3; ++axis) {
            size.largest = std::max({size.largest, std::abs(at(lower, axis)), std::abs(at(upper, axis))});
            size.thinnest = std::min(size.thinnest, at(upper, axis) - at(lower, axis));
        }
        return size;
    } catch (const InputError&) {
        return {};
    }
}

}  // namespace

void cluster_target(Bytes bytes) {
    static const CaseWithCluster list("shape = \"file\"\n");
    static const CaseWithCluster drawing("shape = \"stl\"\nelement_radius = 0.1\n");
    static const CaseWithCluster huge("shape = \"stl\"\nelement_radius = 1e-9\n");
    one_file().hold(bytes);
    load(list, 0);
    // A drawing of any size takes some thousand elements; more take long for good reasons, and far too many are refused
    // at once.
    const DrawingSize size = size_of_drawing(bytes);
    if (size.largest > 0) load(drawing, 0.1 * size.largest);
    if (size.thinnest > 1e-5) load(huge, 0);
}

}  // namespace granary::fuzz
