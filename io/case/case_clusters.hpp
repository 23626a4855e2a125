// Clusters of a case: from what the file says to templates, and rules about them.
#pragma once
#include <string>
#include <vector>
#include "filling/cluster_template.hpp"
#include "io/case/case.hpp"
#include "io/case/case_problem.hpp"

namespace granary {

// The elements of a cluster, and the volume of the shape that they fill; 0: it has none.
struct ClusterElements {
    std::vector<ClusterTemplate::Element> elements;
    double volume = 0;  // m^3
};

// Of a cluster that is not in a file. Throws InputError.
ClusterElements elements_of(const ClusterSpec& spec);
FillRules fill_rules(const ClusterSpec& spec);

// Numbers of materials and bonds are left to the caller. Throws InputError.
ClusterTemplate template_of(const ClusterSpec& spec, ClusterElements elements);

// Sizes of the clusters, and of sources whose grains are all clusters and have no sizes of their own. What is wrong
// with a shape is a problem found here. Wants names of stages.
void complete_clusters(Case& c, CaseReport& report);

// The same, of clusters that are in files, once these are read.
void take_sizes(const ClusterTemplate& of, ClusterSpec& spec);
void complete_grain_radii(Case& c);

// What deserves a word.
std::vector<std::string> remarks_on_clusters(const Case& c);

}  // namespace granary
