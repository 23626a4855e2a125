#include "observe/probes.hpp"

#include "decomposition/together.hpp"

namespace granary {

Vec3d upwards(const Simulation& sim) {
    const Vec3d g = sim.setup().gravity;
    const double length = norm(g);
    return length > 0 ? (-1 / length) * g : Vec3d{0, 0, 1};
}

Probe::Probe(const ProbeSpec& spec, double time)
    : spec_(spec),
      looks_(spec.every),
      averages_(spec.average),
      begin_(time) {}

void Probe::begin_stage(const Simulation& sim, const std::string& stage, bool goes_on) {
    awake_ = spec_.stage.empty() || spec_.stage == stage;
    if (!awake_ || goes_on) return;
    begin_ = sim.clock().time();
    looks_.done_at(begin_), averages_.done_at(begin_);  // nothing is due at the very start
    at_stage(sim);
}

void Probe::after_step(const Simulation& sim) {
    if (!asked_) return;
    asked_ = false;
    const double t = sim.clock().time();
    looks_.done_at(t);
    look(sim);
    if (!averages_.due_at(t)) return;
    averages_.done_at(t);
    write(sim, begin_, t);
    begin_ = written_ = t;
}

void Probe::end_stage(const Simulation& sim) {
    if (awake_ && sim.clock().time() > begin_) {
        write(sim, begin_, sim.clock().time());
        written_ = sim.clock().time();
    }
    awake_ = false;
}

Probes::Probes(const Simulation& sim, const std::vector<ProbeSpec>& specs, const Results& results,
               const SavedState* resumed) {
    for (const ProbeSpec& spec : specs) {
        ProbeFiles files{results, {}};
        if (resumed != nullptr) {
            StateLoader io(*resumed);
            io(Probe::written_name(spec), files.until.emplace());
        }
        switch (spec.type) {
            case ProbeType::pressure: probes_.push_back(make_pressure_probe(sim, spec, files)); break;
            case ProbeType::loads: probes_.push_back(make_loads_probe(sim, spec, files)); break;
            case ProbeType::field: probes_.push_back(make_field_probe(sim, spec, files)); break;
            case ProbeType::bands: probes_.push_back(make_bands_probe(sim, spec, files)); break;
            case ProbeType::track: probes_.push_back(make_track_probe(sim, spec, files)); break;
            case ProbeType::count: probes_.push_back(make_count_probe(sim, spec, files)); break;
            case ProbeType::fragments: probes_.push_back(make_fragments_probe(sim, spec, files)); break;
        }
    }
}

Probes::~Probes() = default;

void Probes::begin_stage(const Simulation& sim, const std::string& stage, bool goes_on) {
    for (const auto& p : probes_) p->begin_stage(sim, stage, goes_on);
}

void Probes::before_step(const Simulation& sim) {
    const double next = sim.clock().time() + sim.setup().dt;
    for (const auto& p : probes_)
        if (p->ask(next) && p->wants_contacts()) sim.requests().note_contacts(p->wants_pairs());
}

void Probes::after_step(const Simulation& sim) {
    if (probes_.empty()) return;
    PhaseTimer timer(sim.requests().times, Phase::measure);
    for (const auto& p : probes_) p->after_step(sim);
}

void Probes::end_stage(const Simulation& sim) {
    for (const auto& p : probes_) p->end_stage(sim);
}

void Probes::bring_to_disk(const Simulation& sim) {
    together(sim.comm(), [&] {
        for (const auto& p : probes_) p->bring_to_disk();
    });
}

}  // namespace granary
