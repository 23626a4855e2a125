#include "plan/stage_plan.hpp"

#include <algorithm>
#include <cmath>
#include "plan/inlet.hpp"

namespace granary {

namespace {

constexpr std::uint64_t fill_look = 100;  // steps

// Is this a gate that slides?
bool slides(const Case& c, const std::string& wall) {
    return std::any_of(c.walls.begin(), c.walls.end(),
                       [&](const WallSpec& w) { return w.name == wall && w.slides_open(); });
}

}  // namespace

std::vector<Stage> make_stages(const Case& c, const Setup& setup) {
    std::vector<Stage> stages;
    if (c.stages.empty()) {
        Stage run;
        run.name = "run", run.dt = c.run.dt, run.longest = static_cast<std::uint64_t>(c.run.n_steps());
        return {run};
    }
    auto stream = static_cast<std::uint16_t>(c.insert.size() + c.bodies.size());
    for (std::size_t k = 0; k < c.stages.size(); ++k) {
        const StageSpec& s = c.stages[k];
        Stage to;
        to.name = s.name, to.dt = s.dt;
        to.longest = s.time ? in_steps(*s.time, s.dt) : 0;
        if (s.check_every > 0) to.look_every = in_steps(s.check_every, s.dt);
        for (std::size_t w = 0; w < setup.walls.size(); ++w)
            if (std::find(s.open.begin(), s.open.end(), setup.walls[w].name) != s.open.end()) {
                if (slides(c, setup.walls[w].name)) to.begins.push_back(setup.walls[w].motion);
                else to.opens.push_back(w);
            }
        for (std::size_t m = 0; m < c.motions.size(); ++m)
            if (c.motions[m].stage == s.name) to.begins.push_back(m);
        to.type = s.type;
        switch (s.type) {
            case StageType::fill:
                to.look_every = fill_look;
                to.insertions = {filling_of(c, s, setup, stream++)};
                break;
            case StageType::settle:
                to.rest_share = s.energy_share.value_or(0);
                to.rest_energy = s.energy.value_or(0);
                to.rest = s.rest_time > 0 ? in_steps(s.rest_time, s.dt) : 0;
                break;
            case StageType::discharge:
                to.until_empty = s.empty;
                to.stall = s.stall_time > 0 ? in_steps(s.stall_time, s.dt) : 0;
                break;
            case StageType::run: break;
        }
        for (std::size_t i = 0; i < c.insert.size(); ++i)
            if (c.insert[i].stage == s.name)
                to.insertions.push_back(inlet_of(c, c.insert[i], setup, s.dt, static_cast<std::uint16_t>(i)));
        stages.push_back(std::move(to));
    }
    return stages;
}

std::vector<TimedGate> timed_gates(const Case& c, const Setup& setup) {
    std::vector<TimedGate> gates;
    for (const WallSpec& w : c.walls) {
        if (!w.opens_at || w.slides_open()) continue;  // what slides has its time with it
        for (std::size_t k = 0; k < setup.walls.size(); ++k)
            if (setup.walls[k].name == w.name) gates.push_back({k, setup.start_time + *w.opens_at});
    }
    return gates;
}

}  // namespace granary
