// Rules about motions: what each type needs, tables, and the walls that they move.
#include <fmt/format.h>
#include <algorithm>
#include "io/case/case_rules.hpp"
#include "io/formats/words.hpp"
#include "walls/motion_table.hpp"

namespace granary {
namespace {

const MotionSpec* find_motion(const Case& c, const std::string& name) {
    const auto it = std::find_if(c.motions.begin(), c.motions.end(), [&](const auto& m) { return m.name == name; });
    return it == c.motions.end() ? nullptr : &*it;
}

class MotionCheck {
  public:
    MotionCheck(const MotionSpec& m, std::size_t number, CaseReport& report)
        : m_(m),
          path_(fmt::format("motions[{}]", number)),
          report_(report) {}

    void run() const {
        switch (m_.type) {
            case MotionType::rotate:
                if (!m_.rate && !m_.rpm)
                    report_.add_at(key("rate"), fmt::format("{} or rpm is missing (expected one of them)", key("rate")),
                                   {key("rpm"), key("type")});
                break;
            case MotionType::shift_table: table("displacements", m_.displacements.size()); break;
            case MotionType::angle_table: table("angles", m_.angles.size()); break;
            case MotionType::servo: has_length("direction", m_.direction); break;
            default: break;
        }
        if (m_.turns()) has_length("axis", m_.axis);
        if (m_.duration && 2 * m_.ramp > *m_.duration)
            report_.add_at(key("ramp"),
                           fmt::format("{} is too long (expected at most half the duration, {}, got {})", key("ramp"),
                                       *m_.duration / 2, m_.ramp),
                           {key("duration")});
    }

  private:
    std::string key(const char* name) const { return path_ + "." + name; }

    void has_length(const char* name, const Vec3d& v) const {
        if (norm(v) == 0)
            report_.add_at(key(name), fmt::format("{} is zero (expected a direction)", key(name)), {key("type")});
    }

    void table(const char* values, std::size_t n) const {
        if (!m_.file.empty()) return;
        if (m_.times.empty())
            return report_.add_at(key("times"),
                                  fmt::format("{} or file is missing (expected one of them)", key("times")),
                                  {key("file"), key("type")});
        if (n != m_.times.size())
            return report_.add_at(key(values),
                                  fmt::format("{} has another length than times (expected {} values, got {})",
                                              key(values), m_.times.size(), n),
                                  {key("times"), key("type")});
        MotionTable t{m_.times, m_.displacements, m_.smooth};
        for (const double a : m_.angles) t.values.push_back({a, 0, 0});
        if (const std::string problem = problem_of(t); !problem.empty())
            report_.add_at(key("times"), fmt::format("{}: {}", path_, problem), {key(values), key("type")});
    }

    const MotionSpec& m_;
    const std::string path_;
    CaseReport& report_;
};

void check_wall(const WallSpec& w, const std::string& path, const Case& c, CaseReport& report) {
    const std::string key = path + ".motion";
    const MotionSpec* motion = find_motion(c, w.motion);
    if (!w.motion.empty() && !motion) {
        std::vector<std::string> names;
        for (const MotionSpec& m : c.motions) names.push_back(m.name);
        const std::string near = nearest(w.motion, names);
        report.add_at(key,
                      fmt::format("{} names an unknown motion (expected {}, got \"{}\"{})", key,
                                  names.empty() ? "a case with [[motions]]" : listed_or(names), w.motion,
                                  near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)),
                      {"motions", "motions[].name"});
    }
    if (w.copies > 1 && !(motion && motion->turns()))
        report.add_at(path + ".copies",
                      fmt::format("{0}.copies has no axis (expected {0}.motion of type \"rotate\", "
                                  "\"swing\" or \"angle-table\")",
                                  path),
                      {key, "motions"});
    if (w.copies > 1 && w.opens_sometime())
        report.add_at(path + ".copies",
                      fmt::format("{0}.copies cannot be used with {0}.opens (expected one of them)", path),
                      {path + ".opens", path + ".opens_at"});
    if (norm(w.slides) == 0) return;
    if (!w.opens_sometime())
        report.add_at(path + ".slides",
                      fmt::format("{0}.slides has no start time (expected {0}.opens or opens_at)", path),
                      {path + ".opens", path + ".opens_at"});
    if (!w.motion.empty())
        report.add_at(path + ".slides",
                      fmt::format("{} and {}.slides exclude each other (expected one of them)", key, path), {key});
}

}  // namespace

void check_motions(const Case& c, CaseReport& report) {
    for (std::size_t i = 0; i < c.motions.size(); ++i) MotionCheck(c.motions[i], i, report).run();
    for (std::size_t i = 0; i < written_walls(c).size(); ++i)
        check_wall(c.walls[i], fmt::format("walls[{}]", i), c, report);
    if (c.silo && norm(c.silo->slides) > 0 && c.silo->opens.empty() && !c.silo->opens_at)
        report.add_at("silo.slides", "silo.slides has no start time (expected silo.opens, opens_at or a discharge)",
                      {"silo.opens", "silo.opens_at", "stages"});
}

}  // namespace granary
