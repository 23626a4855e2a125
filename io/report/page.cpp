#include "io/report/page.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include "core/version.hpp"
#include "io/report/curves.hpp"
#include "io/report/html.hpp"
#include "io/report/key_numbers.hpp"
#include "io/report/style.hpp"
#include "io/report/view_page.hpp"

namespace granary {
namespace {

constexpr std::size_t longest_case = 200'000;  // bytes of as-run.toml that are shown

// Nothing may be fetched, not even by mistake, and no script may run but the one of the 3D view: the policy forbids it.
std::string around(const std::string& title, const std::string& body, const std::string& made,
                   const std::string& script = "") {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src "
        "data:{}\">\n<meta name=\"generator\" content=\"granary {}\">\n<link rel=\"icon\" "
        "href=\"data:,\">\n<title>{}</title>\n"
        "<style>\n{}\n</style>\n</head>\n<body>\n<main>\n{}<footer>Made by granary {} ({}) on {}.</footer>\n</main>\n"
        "</body>\n</html>\n",
        script.empty() ? "" : "; script-src " + script, html(version), html(title), report_style(), body, html(version),
        html(git_commit), html(made));
}

std::string state_pill(const RunFolder& run) {
    const RunState state = state_of(run);
    return fmt::format("<span class=\"state {}\">{}</span>", state.style, html(state.word)) +
           (state.more.empty() ? "" : fmt::format("<span class=\"soft\">{}</span>", html(state.more)));
}

std::string head(const RunFolder& run) {
    std::string s = fmt::format("<header>\n<h1>{}</h1>\n<p>{}</p>\n", html(run.title), state_pill(run));
    if (!run.error.empty()) s += fmt::format("<p class=\"bad\" role=\"alert\">{}</p>\n", html(run.error));
    s += "<p class=\"soft\">";
    if (!run.command.empty()) s += fmt::format("<code>{}</code><br>", html(run.command));
    if (!run.made_by.empty()) s += html(run.made_by) + "<br>";
    return s + fmt::format("results in {}</p>\n</header>\n", html(run.name));
}

std::string tiles(const RunFolder& run) {
    std::string s = "<h2 id=\"numbers\">Key numbers</h2>\n<dl class=\"tiles\">\n";
    for (const KeyNumber& k : key_numbers(run)) {
        if (k.value.empty() || k.minor) continue;
        const std::string style = std::string(k.bad ? "bad" : "") + (k.words ? " words" : "");
        s += fmt::format("<div{}><dt>{}</dt><dd>{}{}</dd></div>\n", style.empty() ? "" : " class=\"" + style + "\"",
                         html(k.name), html(k.value),
                         k.unit.empty() ? "" : fmt::format(" <small>{}</small>", html(k.unit)));
    }
    return s + "</dl>\n";
}

std::string warnings(const RunFolder& run) {
    std::vector<std::string> all = run.warnings;
    if (run.series.left_out > 0)
        all.push_back(fmt::format("series.csv: {} damaged row{} left out", run.series.left_out,
                                  run.series.left_out == 1 ? "" : "s"));
    std::string s = "<h2 id=\"warnings\">Warnings</h2>\n<div class=\"card\">";
    if (all.empty()) return s + "<p class=\"soft\">None.</p></div>\n";
    s += "<ul class=\"list\">\n";
    for (const std::string& w : all) s += fmt::format("<li>{}</li>\n", html(w));
    return s + "</ul></div>\n";
}

std::string stages(const RunFolder& run) {
    if (run.stages.empty()) return "";
    std::string s =
        "<h2 id=\"stages\">Stages</h2>\n<div class=\"card scroll\"><table><tr><th scope=\"col\">ended at, s</th>"
        "<th scope=\"col\" style=\"text-align:left\">why</th></tr>\n";
    for (const RunStage& stage : run.stages)
        s += fmt::format("<tr><th scope=\"row\">{:.5g}</th><td class=\"text\">{}</td></tr>\n", stage.time,
                         html(stage.text));
    return s + "</table></div>\n";
}

std::string figures(const std::vector<Plot>& plots) {
    std::string s = "<h2 id=\"curves\">Curves</h2>\n";
    if (plots.empty()) return s + "<p class=\"soft\">There is no time series yet.</p>\n";
    return s + "<div class=\"plots\">\n" + plot_figures(plots) + "</div>\n";
}

std::string pictures(const RunFolder& run) {
    if (run.pictures.empty()) return "";
    std::string s = "<h2 id=\"pictures\">Last pictures</h2>\n<div class=\"pictures\">\n";
    for (const RunPicture& p : run.pictures) {
        s += "<figure class=\"card\">";
        if (!p.bytes.empty())
            s += fmt::format("<img src=\"data:image/png;base64,{}\" alt=\"{}\">", base64(p.bytes),
                             html("Picture of the run: " + p.file));
        s += fmt::format("<figcaption><p>{}{}</p></figcaption></figure>\n", html(p.file),
                         p.bytes.empty() ? ", too large to be shown here" : "");
    }
    return s + "</div>\n";
}

std::string phase_table(const RunFolder& run) {
    std::string s = "<h2 id=\"phases\">Where the time went</h2>\n<div class=\"card\">";
    if (!run.phases) return s + "<p class=\"soft\">There is no phases.json; a run writes it at its end.</p></div>\n";
    s += "<div class=\"scroll\"><table><tr><th scope=\"col\">phase</th><th scope=\"col\">share</th><th scope=\"col\">"
         "fastest rank, s</th><th scope=\"col\">mean, s</th><th scope=\"col\">slowest, s</th><th scope=\"col\">ns per "
         "ball-step</th></tr>\n";
    for (const PhaseLine& p : run.phases->lines) {
        if (!(p.max > 0)) continue;
        s += fmt::format(
            "<tr><th scope=\"row\" class=\"bar\" style=\"--w:{:.1f}%\">{}</th><td>{:.1f}&nbsp;%</td><td>{:.3g}"
            "</td><td>{:.3g}</td><td>{:.3g}</td><td>{}</td></tr>\n",
            100 * p.share, html(p.name), 100 * p.share, p.min, p.mean, p.max,
            std::isfinite(p.ns_per_ball_step) ? fmt::format("{:.2f}", p.ns_per_ball_step) : "–");
    }
    s += "</table></div>";
    if (run.phases->ranks > 1)
        s += fmt::format("<p class=\"soft\">The busiest rank worked {:.2g} % longer than the mean one.</p>",
                         100 * run.phases->imbalance);
    return s + "</div>\n";
}

std::string case_text(const RunFolder& run) {
    if (run.as_run.empty()) return "";
    const bool whole = run.as_run.size() <= longest_case;
    return fmt::format(
        "<section><h2 id=\"case\">The case</h2>\n<details class=\"card\"><summary>as-run.toml: every key, as it "
        "was run</summary><pre>{}{}</pre></details></section>\n",
        html(run.as_run.substr(0, longest_case)), whole ? "" : "\n...");
}

// Key numbers of all runs, a column a run.
std::string numbers_compared(std::span<const RunFolder> runs) {
    std::string s =
        "<h2 id=\"numbers\">Key numbers</h2>\n<div class=\"card scroll\"><table><tr><th scope=\"col\"></th>";
    for (const RunFolder& run : runs) s += fmt::format("<th scope=\"col\">{}</th>", html(run.name));
    s += "</tr>\n<tr><th scope=\"row\">State</th>";
    std::vector<std::vector<KeyNumber>> all;
    for (const RunFolder& run : runs) {
        const RunState state = state_of(run);
        s += fmt::format("<td class=\"{}\">{}</td>", state.style, html(state.word));
        all.push_back(key_numbers(run));
    }
    s += "</tr>\n";
    std::vector<const KeyNumber*> names;  // each once, in the order in which they turn up
    const auto find = [](const auto& in, const std::string& name) {
        return std::find_if(in.begin(), in.end(), [&](const KeyNumber& k) { return k.name == name; });
    };
    for (const std::vector<KeyNumber>& n : all)
        for (const KeyNumber& k : n)
            if (!k.value.empty() &&
                std::none_of(names.begin(), names.end(), [&](const auto* known) { return known->name == k.name; }))
                names.push_back(&k);
    for (const KeyNumber* k : names) {
        s += fmt::format("<tr><th scope=\"row\">{}{}</th>", html(k->name), k->unit.empty() ? "" : ", " + html(k->unit));
        for (const std::vector<KeyNumber>& n : all) {
            const auto it = find(n, k->name);
            const bool there = it != n.end() && !it->value.empty();
            s += fmt::format("<td{}>{}</td>", there && it->bad ? " class=\"bad\"" : "", there ? html(it->value) : "–");
        }
        s += "</tr>\n";
    }
    s += "<tr><th scope=\"row\">Warnings</th>";
    for (const RunFolder& run : runs) s += fmt::format("<td>{}</td>", run.warnings.size());
    s += "</tr>\n<tr><th scope=\"row\">Digest</th>";
    for (const RunFolder& run : runs)
        s += fmt::format("<td><code>{}</code></td>", run.digest.empty() ? "–" : html(run.digest.substr(0, 12)));
    return s + "</tr></table></div>\n";
}

// The keys of the cases that are not the same in all.
std::string cases_compared(std::span<const RunFolder> runs) {
    std::vector<std::string> names;  // in the order in which they turn up
    std::vector<std::map<std::string, std::string>> values(runs.size());
    for (std::size_t r = 0; r < runs.size(); ++r)
        for (const auto& [name, value] : runs[r].keys) {
            if (std::none_of(values.begin(), values.end(), [&key = name](const auto& v) { return v.count(key) > 0; }))
                names.push_back(name);
            values[r][name] = value;
        }
    std::string rows;
    for (const std::string& name : names) {
        const auto value = [&](std::size_t r) {
            const auto it = values[r].find(name);
            return it == values[r].end() ? std::string("–") : it->second;
        };
        bool differs = false;
        for (std::size_t r = 1; r < runs.size(); ++r) differs = differs || value(r) != value(0);
        if (!differs) continue;
        rows += fmt::format("<tr><th scope=\"row\"><code>{}</code></th>", html(name));
        for (std::size_t r = 0; r < runs.size(); ++r) rows += fmt::format("<td>{}</td>", html(value(r)));
        rows += "</tr>\n";
    }
    std::string s = "<h2 id=\"case\">Differences between the cases</h2>\n<div class=\"card scroll\">";
    if (rows.empty()) return s + "<p class=\"soft\">None: all keys have the same values.</p></div>\n";
    s += "<table><tr><th scope=\"col\">key</th>";
    for (const RunFolder& run : runs) s += fmt::format("<th scope=\"col\">{}</th>", html(run.name));
    return s + "</tr>\n" + rows + "</table></div>\n";
}

std::string phases_compared(std::span<const RunFolder> runs) {
    std::vector<std::string> names;
    for (const RunFolder& run : runs)
        if (run.phases)
            for (const PhaseLine& p : run.phases->lines)
                if (p.max > 0 && std::find(names.begin(), names.end(), p.name) == names.end()) names.push_back(p.name);
    if (names.empty()) return "";
    std::string s =
        "<h2 id=\"phases\">Where the time went, ns of core time per ball-step</h2>\n<div class=\"card "
        "scroll\"><table>"
        "<tr><th scope=\"col\">phase</th>";
    for (const RunFolder& run : runs) s += fmt::format("<th scope=\"col\">{}</th>", html(run.name));
    s += "</tr>\n";
    for (const std::string& name : names) {
        s += fmt::format("<tr><th scope=\"row\">{}</th>", html(name));
        for (const RunFolder& run : runs) {
            double ns = NAN;
            if (run.phases)
                for (const PhaseLine& p : run.phases->lines)
                    if (p.name == name) ns = p.ns_per_ball_step;
            s += std::isfinite(ns) ? fmt::format("<td>{:.2f}</td>", ns) : "<td>–</td>";
        }
        s += "</tr>\n";
    }
    return s + "</table></div>\n";
}

}  // namespace

std::string run_page(const RunFolder& run, const std::string& made) {
    const std::string view = view_figure(run, read_view(run));
    return around(run.title,
                  head(run) + tiles(run) + warnings(run) + view + figures(plots_of(run)) + pictures(run) + stages(run) +
                      phase_table(run) + case_text(run),
                  made, view.empty() ? "" : view_script_source());
}

std::string comparison_page(std::span<const RunFolder> runs, const std::string& made) {
    const std::string title = fmt::format("{} runs compared", runs.size());
    std::string s = fmt::format("<header>\n<h1>{}</h1>\n<ol class=\"list\">\n", html(title));
    for (const RunFolder& run : runs)
        s += fmt::format("<li><strong>{}</strong> {} {}</li>\n", html(run.name),
                         run.title == run.name ? "" : html(run.title), state_pill(run));
    s += "</ol>\n</header>\n";
    return around(
        title,
        s + numbers_compared(runs) + cases_compared(runs) + figures(plots_compared(runs)) + phases_compared(runs),
        made);
}

}  // namespace granary
