// From the clusters, bonds and holds of a case to what the simulation knows: templates with the numbers of their
// materials and bonds, types of bonds, how far bonds reach, who is held.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <string>
#include <utility>
#include <vector>
#include "core/bodies.hpp"
#include "engine/setup.hpp"
#include "filling/cluster_template.hpp"
#include "io/case/case.hpp"

namespace granary {

// By number of the cluster. One rank reads the files of those that are in files, and the case learns their sizes.
// Collective. Throws InputError on all ranks alike, at the key of the cluster.
std::vector<ClusterTemplate> load_clusters(const boost::mpi::communicator& comm, Case& c, const CasePlaces& places);

// Bonds, clusters and holds of the setup, and how far bonds reach.
void add_clusters(const Case& c, std::vector<ClusterTemplate> clusters, Setup& setup);

// Clusters or shapes of a source; none: an empty kind.
GrainKind grain_kind(const Case& c, const GrainUse& use, const std::string& material);

// The widest gap between the surfaces of two bonded elements, when the bond is longer than at first by this share, m;
// at least 0.
double widest_gap(const ClusterTemplate& shape, double stretch);

// Who is held at the start, in the axes of the user. ids: of each [[bodies]], from the first up to before the second;
// none with [start].
class HeldBodies {
  public:
    HeldBodies(const Case& c, const std::vector<std::pair<Id, Id>>& ids);
    bool any() const { return !holds_.empty(); }
    std::uint16_t number(Id id, const Vec3d& position) const;  // NewBody::held; of several holds the first
    // Of a body of a state, which number `was` held. Ids decide alone. A box or a ball holds who is in it, too; who was
    // held by it or by the name of [[bodies]] stays held, wherever a motion has taken him.
    std::uint16_t number_in_state(Id id, const Vec3d& position, std::uint16_t was) const;

  private:
    struct Hold {
        HoldSpec spec;
        std::pair<Id, Id> of;
        std::vector<Id> ids;  // ascending; empty: any
        bool holds(Id id, const Vec3d& x) const;
    };
    std::vector<Hold> holds_;
};

// A line for each hold: how many bodies of the start it holds. Collective. Throws InputError on all ranks alike, at the
// key, if one holds nothing or an id that it names is not there.
std::vector<std::string> hold_texts(const boost::mpi::communicator& comm, const Case& c, const CasePlaces& places,
                                    const Setup& setup);

// A line for each cluster: what it is made of.
std::vector<std::string> cluster_texts(const Case& c, const std::vector<ClusterTemplate>& clusters);

}  // namespace granary
