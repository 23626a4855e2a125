#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include "plan/plan.hpp"
#include "engine/simulation.hpp"
#include "core/errors.hpp"
#include "fuzz/harness.hpp"
#include "io/case/case.hpp"
#include "io/case/case_check_report.hpp"

namespace granary::fuzz {
namespace {

constexpr double few = 2000;  // balls; more take long for good reasons

// A plan would read what is named, and a made-up name may stand for anything on this machine.
bool names_files(const Case& c) {
    const auto any_named = [](const auto& parts) {
        return std::any_of(parts.begin(), parts.end(), [](const auto& part) { return !part.file.empty(); });
    };
    return c.start || any_named(c.bodies) || any_named(c.motions) || any_named(c.walls) || any_named(c.clusters) ||
           any_named(c.shapes);
}

}  // namespace

void case_target(Bytes bytes) {
    const std::string text(bytes), name = "fuzz.toml";
    try {
        const Case c = read_case(text, name);
        const std::string whole = resolved_case(c);
        must(resolved_case(read_case(whole, name)) == whole, "a case that is written out means the same");
        const CasePlaces places(text, name);
        if (names_files(c) || !(c.n_balls() < few) || (c.silo && c.silo->wall == SiloWallType::balls)) return;
        const Plan plan = make_plan(boost::mpi::communicator(), c, places);
        must(!check_text(plan.report).empty(), "a plan can be told");
    } catch (const InputError&) {  // of which CaseError is one
    }
}

}  // namespace granary::fuzz
