#include "io/report/view_data.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <functional>
#include "io/frames/frame_series.hpp"
#include "io/state/state_file.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/saved_templates.hpp"

namespace granary {
namespace {

namespace fs = std::filesystem;

std::vector<PvdEntry> entries_of(const RunFolder& run, const char* pvd) {
    const fs::path file = fs::path(run.path) / pvd;
    std::error_code error;
    if (!fs::exists(file, error) || !run.is_own(file.string())) return {};
    try {
        return read_pvd(file.string());
    } catch (const std::exception&) {
        return {};
    }
}

// The file that shows a time: the last one that begins at or before it, or the first.
std::string file_at(const RunFolder& run, const std::vector<PvdEntry>& entries, double time) {
    if (entries.empty()) return "";
    const PvdEntry* found = &entries.front();
    for (const PvdEntry& e : entries)
        if (e.time <= time + 1e-9 * std::abs(time)) found = &e;
    return (fs::path(run.path) / found->file).string();
}

struct Wanted {
    double time = 0;
    std::string word;
};

// Ends of stages, and the middle of the discharge; the end of the run comes by itself.
std::vector<Wanted> wanted_of(const RunFolder& run, double end) {
    std::vector<Wanted> all;
    const std::optional<double> begin = run.discharge_begin();
    for (const RunStage& s : run.stages) all.push_back({s.time, s.text.substr(0, s.text.find(':'))});
    if (begin && std::isfinite(*begin)) {
        double last = end;
        for (const RunStage& s : run.stages)
            if (s.time > *begin) last = std::min(last, s.time);
        all.push_back({*begin + 0.5 * (last - *begin), "discharge"});
    }
    std::stable_sort(all.begin(), all.end(), [](const Wanted& a, const Wanted& b) { return a.time < b.time; });
    std::erase_if(all, [&](const Wanted& w) { return w.time >= end * (1 - 1e-6); });
    return all;
}

// Evenly picked, the first and the last among them.
template <class T> void pick(std::vector<T>& all, std::size_t most) {
    if (all.size() <= most) return;
    std::vector<T> few;
    for (std::size_t k = 0; k < most; ++k)
        few.push_back(all[most == 1 ? all.size() - 1 : k * (all.size() - 1) / (most - 1)]);
    all = std::move(few);
}

}  // namespace

std::vector<ShapeTemplate> shapes_of(const RunFolder& run) {
    std::vector<fs::path> files;
    std::error_code error;
    if (const fs::path state = fs::path(run.path) / "state.h5"; fs::is_regular_file(state, error))
        files.push_back(state);
    const auto n_states = static_cast<std::ptrdiff_t>(files.size());
    for (fs::directory_iterator at(fs::path(run.path) / "checkpoints", error), end; !error && at != end;
         at.increment(error))
        if (at->path().extension() == ".h5") files.push_back(at->path());
    std::sort(files.begin() + n_states, files.end(), std::greater<>());
    for (const fs::path& file : files) {
        if (!run.is_own(file.string())) continue;
        try {
            const SavedState saved = header_of_file(file.string()).run;
            if (has_templates(saved)) return templates_in(saved);
        } catch (const std::exception&) {  // the next one
        }
    }
    return {};
}

ViewData read_view(const RunFolder& run, const ViewLimits& limits) {
    ViewData view;
    const std::vector<PvdEntry> frames = entries_of(run, "frames.pvd"), walls = entries_of(run, "walls.pvd"),
                                wall_balls = entries_of(run, "wall_balls.pvd");
    // At the end: the state, whole; a run that broke off has only its frames.
    const fs::path state = fs::path(run.path) / "state.h5";
    std::error_code error;
    const bool has_state = run.ended == RunFolder::Ended::well && fs::is_regular_file(state, error);
    std::vector<PvdEntry> chosen;
    std::vector<std::string> words;
    if (!frames.empty()) {
        const double end = frames.back().time;
        std::vector<Wanted> wanted = wanted_of(run, end);
        pick(wanted, limits.moments - 1);
        for (const Wanted& w : wanted) {
            const auto near = std::min_element(frames.begin(), frames.end(), [&](const PvdEntry& a, const PvdEntry& b) {
                return std::abs(a.time - w.time) < std::abs(b.time - w.time);
            });
            if (near->time >= end || (!chosen.empty() && near->time <= chosen.back().time)) continue;
            chosen.push_back(*near), words.push_back(w.word);
        }
    }
    view.shapes = shapes_of(run);
    std::size_t each = std::max<std::size_t>(1, limits.balls / (chosen.size() + 1));
    if (!view.shapes.empty()) {  // a grain takes 24 bytes, and is drawn from parts
        std::size_t parts = 1;
        for (const ShapeTemplate& t : view.shapes)
            parts = std::max(parts, t.polyhedron ? t.polyhedron->faces().size() : t.balls.size());
        each = std::clamp<std::size_t>(limits.grain_parts / parts, 1, std::max<std::size_t>(1, each * 14 / 24));
    }
    const auto add = [&](auto&& read, const std::string& word) {
        try {
            ViewMoment m = read();
            m.word = word;
            for (ViewBall& b : m.balls)
                if (b.shape > view.shapes.size()) b.shape = 0;
            const auto try_walls = [&](auto&& f, const std::vector<PvdEntry>& entries, std::size_t most) {
                try {
                    if (const std::string file = file_at(run, entries, m.time); !file.empty()) f(m, file, most);
                } catch (const std::exception&) {  // the balls without them
                }
            };
            try_walls(add_walls, walls, limits.triangles);
            try_walls(add_wall_balls, wall_balls, each / 4);
            if (!m.balls.empty() || !m.triangles.empty() || !m.wall_balls.empty()) view.moments.push_back(std::move(m));
            return true;
        } catch (const std::exception&) {
            return false;
        }
    };
    const auto frame = [&](const PvdEntry& e) {
        return [&run, &e, each] {
            ViewMoment m = balls_of_frame((fs::path(run.path) / e.file).string(), each);
            m.time = e.time;
            return m;
        };
    };
    for (std::size_t k = 0; k < chosen.size(); ++k) add(frame(chosen[k]), words[k]);
    const std::string last_word = run.ended == RunFolder::Ended::well ? "end" : "last";
    const bool done = has_state && add([&] { return balls_of_state(state.string(), each); }, last_word);
    if (!done && !frames.empty()) add(frame(frames.back()), last_word);
    std::size_t most = 0;
    for (const ViewMoment& m : view.moments) most = std::max(most, m.balls.size());
    if (most == 0) view.moments.clear();
    for (std::size_t k = 0; k < view.moments.size(); ++k)
        if (10 * view.moments[k].balls.size() >= most) view.first_shown = k;
    return view;
}

}  // namespace granary
