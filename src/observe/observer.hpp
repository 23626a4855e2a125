// Whoever watches a run: log and progress, the CSV series, frames, states, warnings. It looks when something is due and
// never changes the run; what its probes need of contacts it asks for one step ahead.
#pragma once
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include "observe/bond_views.hpp"
#include "observe/breaks.hpp"
#include "observe/every.hpp"
#include "observe/outflow.hpp"
#include "observe/pictures.hpp"
#include "plan/plan.hpp"
#include "observe/probes.hpp"
#include "observe/results.hpp"
#include "observe/servo_report.hpp"
#include "engine/measures.hpp"
#include "io/frames/frame_series.hpp"
#include "io/log/phase_table.hpp"
#include "io/log/progress.hpp"
#include "io/log/series.hpp"
#include "io/log/warnings.hpp"

namespace granary {

class Observer {
  public:
    // Collective, as everything below. resumed: what save() gave in the run that is taken up again; its series are gone
    // on with, cut back to what was written when it was saved.
    Observer(const Simulation& sim, const Plan& plan, Results& results, std::string case_text, bool quiet,
             const SavedState* resumed = nullptr);

    // Adds what this observer must know to go on; what was written so far is brought to the disk first.
    void save(const Simulation& sim, SavedState& to);

    void begin_stage(const Simulation& sim, const Stage& stage, std::size_t number, std::size_t of,
                     const StageProgress& progress = {});
    void before_step(const Simulation& sim);
    void after_step(const Simulation& sim);
    void end_stage(const Simulation& sim, const StageEnd& end);

    // The last state, series row, frame and picture; then the table of phases and the warnings.
    void finish(const Simulation& sim, Pictures* pictures = nullptr);

    // The run ends here by an error: the bar of the terminal is left, and the warnings so far are given back. Not
    // collective.
    std::string break_off();

  private:
    template <class Io> void run_state(Io& io);
    void take_up(const Simulation& sim, const SavedState& resumed);
    bool speaks() const { return progress_ != nullptr; }
    void look(const Simulation& sim, bool last = false);  // a row of the series, a line of the log, or both
    void line(const Simulation& sim, const Ledger& ledger, const Measures& m, const BondState& bonds, double rate);
    void warn_of_overlaps(const Simulation& sim, const Measures& m, double limit);
    void warn_of_early_outflow(const Simulation& sim, const Ledger& ledger);
    void warn_of_slow_inlets(const Simulation& sim);
    void note_deleted(const Simulation& sim, const Ledger& ledger);
    std::string insertion_warnings(const Simulation& sim) const;
    std::string loads_text(const Simulation& sim) const;
    void frame(const Simulation& sim);
    void state(const Simulation& sim, const std::string& name);
    ProgressState progress_state(const Simulation& sim) const;

    const Plan& plan_;
    Results& results_;
    std::string case_text_;
    std::unique_ptr<Progress> progress_;  // on the first rank only
    std::optional<Series> series_;        // on the first rank only
    std::optional<FrameSeries> frames_;
    Probes probes_;
    std::optional<Outflow> outflow_;
    std::optional<Breaks> breaks_;
    Warnings warnings_;
    ServoReport servos_;
    std::string deleted_text_;  // a warning of balls that were deleted outside the domain; empty: none so far
    Every rows_, lines_, images_, states_;
    bool quiet_, terminal_ = false;
    // Gates and motions as they were when the walls were last written.
    std::vector<char> shown_open_;
    std::vector<Pose> shown_poses_;
    double last_frame_ = -std::numeric_limits<double>::infinity();  // s
    double hit_limit_ = 0;  // overlap that balls which land and are hit may have, as a share of the radius

    double start_mass_ = 0, last_out_ = 0, last_time_ = 0;  // kg, kg, s: for the mass flow
    double turned_over_ = 0, residual_ = 0;                 // J, the most so far and the last
    std::uint64_t balls_inside_ = 0, last_step_ = 0, noted_cut_move_ = 0;
    double ball_steps_ = 0;
    WallClock clock_;
    double started_ = 0, last_clock_ = 0;
};

}  // namespace granary
