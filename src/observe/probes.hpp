// The probes of a case: what [[probes]] asks for, looked at at fixed times of the run, whatever else is written,
// averaged and written. They read and never change the run. All sums run in the one order (decomposition/fold.hpp), so
// files are the same on any number of ranks. What is added up between two writings lies in plain vectors, the same on
// all ranks.
#pragma once
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "observe/every.hpp"
#include "observe/results.hpp"
#include "engine/simulation.hpp"
#include "plan/stage.hpp"
#include "core/saved_state.hpp"
#include "io/case/case.hpp"
#include "io/log/series.hpp"

namespace granary {

class Probe {
  public:
    Probe(const ProbeSpec& spec, double time);
    virtual ~Probe() = default;

    // Is a look due after the step that ends at this time? If so after_step() will take it.
    bool ask(double time) { return asked_ = awake_ && looks_.due_at(time); }
    bool wants_contacts() const { return walls_ || pairs_; }
    bool wants_pairs() const { return pairs_; }

    // All collective. goes_on: the stage was begun before the run was stopped and taken up again.
    void begin_stage(const Simulation& sim, const std::string& stage, bool goes_on);
    void after_step(const Simulation& sim);
    void end_stage(const Simulation& sim);

    virtual void bring_to_disk() {}
    static std::string written_name(const ProbeSpec& spec) { return "probe." + spec.name + ".written"; }
    // What has been added up and is not yet written, for a run that is taken up again; the same on all ranks, or all on
    // the first (of_first_rank).
    template <class Io> void run_state(Io& io) {
        const std::string name = "probe." + spec_.name;
        io(name + ".begin", begin_), io(written_name(spec_), written_);
        looks_.run_state(io, name + ".looks"), averages_.run_state(io, name + ".averages");
        std::vector<double> added;
        if constexpr (!Io::loads) added = numbers();
        io(name + "." + numbers_name(), added);
        if constexpr (Io::loads) set_numbers(added);
    }

  protected:
    virtual void at_stage(const Simulation&) {}
    virtual void look(const Simulation& sim) = 0;                             // adds one look
    virtual void write(const Simulation& sim, double begin, double end) = 0;  // what was added up, then forgets it
    virtual std::string numbers_name() const { return "numbers"; }
    virtual std::vector<double> numbers() const = 0;  // collective, as is the next
    virtual void set_numbers(const std::vector<double>& numbers) = 0;
    void has_written(double time) { written_ = time; }
    bool has_row_of(double time) const { return written_ == time; }

    ProbeSpec spec_;
    bool walls_ = false, pairs_ = false;  // wants contacts at walls, between balls

  private:
    Every looks_, averages_;
    bool awake_ = false, asked_ = false;
    double begin_;
    double written_ = -std::numeric_limits<double>::infinity();  // s, time of the last rows
};

class Probes {
  public:
    // Collective, as everything below. resumed: of a run that is taken up again; files are gone on with, cut back to
    // the rows that were written when it was saved. (Not to its time: at the last step of a stage more rows of the same
    // time come after it was saved.)
    Probes(const Simulation& sim, const std::vector<ProbeSpec>& specs, const Results& results,
           const SavedState* resumed = nullptr);
    Probes(const Probes&) = delete;
    Probes& operator=(const Probes&) = delete;
    ~Probes();

    void begin_stage(const Simulation& sim, const std::string& stage, bool goes_on = false);
    void before_step(const Simulation& sim);
    void after_step(const Simulation& sim);
    void end_stage(const Simulation& sim);

    void bring_to_disk(const Simulation& sim);
    template <class Io> void run_state(Io& io) {
        for (const auto& p : probes_) p->run_state(io);
    }

  private:
    std::vector<std::unique_ptr<Probe>> probes_;
};

// Where a probe writes.
struct ProbeFiles {
    const Results& results;
    std::optional<double> until;  // of a run that is taken up again: its last rows

    Series series(const std::string& name, std::vector<SeriesColumn> of) const {
        const std::string path = results.file(name);
        return until ? Series::resume(path, std::move(of), *until) : Series::create(path, std::move(of));
    }
};

// One of each type, in probe_<type>.cpp.
std::unique_ptr<Probe> make_pressure_probe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files);
std::unique_ptr<Probe> make_loads_probe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files);
std::unique_ptr<Probe> make_field_probe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files);
std::unique_ptr<Probe> make_bands_probe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files);
std::unique_ptr<Probe> make_track_probe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files);
std::unique_ptr<Probe> make_count_probe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files);
std::unique_ptr<Probe> make_fragments_probe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files);

// Unit vector against gravity, inside; along the slab axis if there is none.
Vec3d upwards(const Simulation& sim);

}  // namespace granary
