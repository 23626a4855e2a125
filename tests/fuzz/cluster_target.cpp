// Files of clusters: lists of elements, and drawings that elements fill.
#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <cmath>
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
young_modulus = 1e7
poisson_ratio = 0.25
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

// So that a drawing of any size takes some thousand elements; more take long for good reasons. 0: it is none.
double tenth_of_drawing(Bytes bytes) {
    try {
        double most = 0;
        for (const Corners& t : parse_stl(bytes, "fuzz.stl"))
            for (const Vec3d& p : t) most = std::max({most, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
        return 0.1 * most;
    } catch (const InputError&) {
        return 0;
    }
}

}  // namespace

void cluster_target(Bytes bytes) {
    static const CaseWithCluster list("shape = \"file\"\n");
    static const CaseWithCluster drawing("shape = \"stl\"\nelement_radius = 0.1\n");
    static const CaseWithCluster huge("shape = \"stl\"\nelement_radius = 1e-9\n");
    one_file().hold(bytes);
    load(list, 0);
    if (const double radius = tenth_of_drawing(bytes); radius > 0) {
        load(drawing, radius);
        if (radius > 1e-6) load(huge, 0);  // too many elements: refused at once
    }
}

}  // namespace granary::fuzz
