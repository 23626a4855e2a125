// The two tables of case_schema.hpp; the rows of keys are in case_keys_*.cpp.
#include "io/case/case_table.hpp"
#include <vector>

namespace granary {
namespace {

using namespace case_table;

// clang-format off
constexpr SectionRow sections[] = {
    // name      repeated if missing    selector stand-in doc
    {"",          false, If::defaults, "",       "", "Keys above all sections."},
    {"run",       false, If::defaults, "",       "", "Time stepping and contact search."},
    {"domain",    false, If::error,    "",       "silo",
     "The box that contains everything.\n"
     "lower and upper may be left out if there is a [silo]: the box is then put around the silo, with a margin of some balls on all sides."},
    {"law",       false, If::defaults, "",       "", "The contact law, for all pairs of materials."},
    {"materials", true,  If::error,    "",       "",
     "A material of balls and walls. Which keys it needs depends on the law; the others have no effect."},
    {"pairs",     true,  If::nothing,  "",       "",
     "Properties of one pair of materials, instead of those derived from both materials."},
    {"bonds",     true,  If::nothing,  "",       "",
     "A type of bond: a round bar between the centres of two elements of a cluster. It carries force and moment, and may break."},
    {"clusters",  true,  If::nothing,  "shape",  "",
     "A grain made of balls (its elements) that are joined by bonds. [[bodies]], [[insert]] and stages of type \"fill\" make such clusters, in\n"
     "any size: their radii are then those of the balls around the clusters, about their centres of mass."},
    {"shapes",    true,  If::nothing,  "type",   "",
     "A rigid non-spherical grain. [[bodies]], [[insert]] and stages of type \"fill\" make grains of this shape, in any size: their radii\n"
     "and sieve sizes are then those of the balls of equal volume."},
    {"bodies",    true,  If::nothing,  "source", "", "Balls that exist at the start."},
    {"insert",    true,  If::nothing,  "",       "", "Balls that are inserted during the run. Times count from its start."},
    {"walls",     true,  If::nothing,  "type",   "", "A wall. It is at rest unless it has a motion. Walls do not repeat along periodic axes."},
    {"motions",   true,  If::nothing,  "type",   "",
     "A motion of all walls that name it. They move as one rigid piece. It begins at a time or with a stage. Before, the walls are\n"
     "where [[walls]] puts them; afterwards they stay where they are."},
    {"hold",      true,  If::nothing,  "",       "",
     "Bodies that are held from the start: they neither move nor rotate, or they follow a motion like a wall. Several keys together select the\n"
     "bodies that meet all of them."},
    {"outlets",   true,  If::nothing,  "",       "",
     "A plane through which balls leave. May be left out if there is a [silo]: a plane named \"outlet\" is then placed "
     "below it."},
    {"silo",      false, If::nothing,  "",       "",
     "A bin with hopper and gate: walls named \"cylinder\" (or \"bin-left\", \"bin-right\", ...), \"cone\"\n"
     "(or \"floor\", \"floor-left\", ..., \"wedge-left\", ...) and \"gate\"; left and right are along x, front and\n"
     "back along y. d_c, h_c, d_h, h_h are those of Lazarević (2002), section 4."},
    {"stages",    true,  If::nothing,  "type",   "",
     "A part of the run. Stages follow each other in the order of the file. They replace run.steps and run.time."},
    {"start",     false, If::nothing,  "",       "",
     "Start with the balls of another run. Walls, outlets, gravity and materials are those of this file."},
    {"probes",    true,  If::nothing,  "type",   "",
     "A measurement during the run, sampled at its own times, averaged and written: pressure over the height of a wall,\n"
     "loads of all walls and the weight of the grain, fields on a grid, the flow of layers, the tracks of single balls, or\n"
     "the number of balls in a box. It does not change the run."},
    {"output",    false, If::defaults, "",       "", "What is written to the folder given by --out."},
    {"insitu",    false, If::nothing,  "",       "",
     "Pictures during the run, by ParaView Catalyst, in the folder insitu of the results; see jobs/catalyst/README.md."},
};
// clang-format on

}  // namespace

std::span<const SectionRow> case_sections() { return sections; }

std::span<const KeyRow> case_keys() {
    static const std::vector<KeyRow> all = [] {
        std::vector<KeyRow> rows(keys_of_grain().begin(), keys_of_grain().end());
        rows.insert(rows.end(), keys_of_course().begin(), keys_of_course().end());
        rows.insert(rows.end(), keys_of_clusters().begin(), keys_of_clusters().end());
        rows.insert(rows.end(), keys_of_shapes().begin(), keys_of_shapes().end());
        return rows;
    }();
    return all;
}

}  // namespace granary
