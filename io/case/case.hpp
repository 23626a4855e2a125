// A case: what a run is asked to do, as plain data in SI units. It is read from a TOML text; every key, its range and
// its default stand in case_table.cpp, and a case that was read has passed all checks.
// The reader sees text only: one rank reads the file and hands the text to all. Files named in a case are not opened.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>
#include "core/domain.hpp"
#include "io/case/case_problem.hpp"
#include "io/case/case_specs.hpp"

namespace granary {

inline bool operator==(const Domain& a, const Domain& b) {
    return a.lower == b.lower && a.upper == b.upper && a.periodic == b.periodic;
}
inline bool operator==(const DomainSpec& a, const DomainSpec& b) {
    return static_cast<const Domain&>(a) == static_cast<const Domain&>(b) && a.outside == b.outside &&
           a.dimension == b.dimension && a.normal == b.normal && a.thickness == b.thickness;
}
inline bool operator==(const Outlet& a, const Outlet& b) {
    return a.name == b.name && a.point == b.point && a.normal == b.normal;
}

// Memory of a run for each ball, with the peak of a rebuild: the budget of the design.
inline constexpr double bytes_per_ball = 350 * 1.3;

struct Case {
    std::string title;
    Vec3d gravity;  // m/s^2
    RunSpec run;
    DomainSpec domain;  // the box is made from the silo if the file has none
    LawSettings law;
    std::vector<MaterialSpec> materials;
    std::vector<PairSpec> pairs;
    std::vector<BondSpec> bonds;
    std::vector<ClusterSpec> clusters;
    std::vector<ShapeSpec> shapes;
    std::vector<BodiesSpec> bodies;
    std::vector<InsertSpec> insert;
    std::vector<WallSpec> walls;  // those of the file, then those of the silo
    std::vector<MotionSpec> motions;
    std::vector<HoldSpec> hold;
    std::vector<Outlet> outlets;     // normals are unit; below a silo there is at least one
    std::optional<SiloSpec> silo;    // its walls are in `walls`
    std::vector<StageSpec> stages;   // in order; empty: run.steps or run.time
    std::optional<StartSpec> start;  // begin with the balls of a state file
    std::vector<ProbeSpec> probes;
    OutputSpec output;
    std::optional<InsituSpec> insitu;  // pictures during the run

    // The largest radius known from the case alone; balls from files may be larger. Of clusters and
    // shapes: of the ball around them.
    double largest_radius() const;
    double smallest_radius() const;  // the same, of elements of clusters; 0: none is known
    double largest_body() const;     // likewise the largest

    // Bodies that come in over the whole run, as far as the case says; not those of files. By mass: about so many.
    double n_balls() const;

    // Of balls of one source, kg/m^3; what is not known counts as 0.
    double mean_density(const std::string& material, const MixSpec& mix) const;

    // Of the grains of one source: balls, and the balls around clusters and shapes. What is not known counts as 0.
    struct GrainSizes {
        bool whole = false;                // all is known
        double smallest = 0, largest = 0;  // m
        double mean_volume = 0;            // m^3
    };
    GrainSizes grain_sizes(const RadiusSpec& radii, const GrainUse& grains) const;
    double mean_mass(const RadiusSpec& radii, const GrainUse& grains, const std::string& material,
                     const MixSpec& mix) const;           // kg
    double bodies_a_grain(const GrainUse& grains) const;  // 1 if it is not known

    // nullptr: none of that name
    const MaterialSpec* find_material(const std::string& name) const;
    const ClusterSpec* find_cluster(const std::string& name) const;
    const ShapeSpec* find_shape(const std::string& name) const;
    const GrainForm* find_grain(const GrainUse& use) const;  // the cluster or the shape
    // The radii of a source as those of the balls around its grains.
    RadiusSpec outer_radii(const RadiusSpec& radii, const GrainUse& grains) const;

    friend bool operator==(const Case&, const Case&) = default;
};

// Grains of one source, balls, clusters or shapes; 0 if they are in a file. Of a filling stage by mass: about so many,
// 0 if the density is not known.
double n_balls(const BodiesSpec& bodies);
double n_balls(const StageSpec& fill, const Case& c);
double n_balls(const InsertSpec& insert, const Case& c);

// The case in a TOML text. file_name is for messages, and its folder is where files named in the case are looked for;
// sets are the overrides key=value of the command line (case_set.hpp). Throws CaseError with all problems.
Case read_case(const std::string& text, const std::string& file_name, const std::vector<std::string>& sets = {});

// Where the keys of a case were written, for messages about what shows only after it was read.
class CasePlaces {
  public:
    // The arguments of read_case, which took them without an error.
    CasePlaces(const std::string& text, std::string file_name, std::vector<std::string> sets = {});
    const std::string& file() const { return file_name_; }
    // The message below the place of the key: "case.toml:3:6: message"; see to_string(Problem).
    std::string at(const std::string& key, const std::string& message) const;

  private:
    TomlNode root_;
    std::string file_name_;
    std::vector<std::string> sets_;
};

// The text of a case file. Throws CaseError.
std::string read_case_text(const std::string& file_name);

// What a run knows better than its case.
struct ResolvedNotes {
    std::vector<std::string> head;  // lines put above as comments: version, compiler, ...
    // Numbers in place of what was left to be chosen, by key: run.dt, stages[1].dt, stages[1].energy, run.skin.
    std::map<std::string, double> values;
};

// The whole case as TOML, every key with its value, so that it can be run again. Walls of the silo are not written out,
// the silo is; what was made from it (domain, outlet, regions) is. Paths are absolute.
// Without notes, and if the paths in the case are absolute, reading the text gives an equal case.
std::string resolved_case(const Case& c, const ResolvedNotes& notes = {});

}  // namespace granary
