// A small silo as the text of a case, and the plan that is made of such a text.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <string>
#include <vector>
#include "plan/plan.hpp"
#include "io/case/case.hpp"

namespace granary::test {

inline const std::string silo_text = R"([silo]
d_c = 0.10
h_c = 0.12
d_h = 0.05
h_h = 0.04
material = "steel"
[run]
dt = 1e-4
[[materials]]
name = "grain"
density = 1300.0
young = 1e6
poisson = 0.3
restitution = 0.3
friction = 0.3
[[materials]]
name = "steel"
young = 1e9
poisson = 0.3
restitution = 0.3
friction = 0.3
[[stages]]
type = "fill"
material = "grain"
count = 100
rate = 500.0
radius_min = 0.004
radius_max = 0.005
[[stages]]
type = "settle"
time = 0.2
[[stages]]
type = "discharge"
time = 2.0
stall_time = 0.3
)";

inline Plan plan_of(const std::string& text, const std::vector<std::string>& sets = {},
                    const boost::mpi::communicator& comm = {}) {
    return make_plan(comm, read_case(text, "case.toml", sets), CasePlaces(text, "case.toml", sets));
}

}  // namespace granary::test
