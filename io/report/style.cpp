#include "io/report/style.hpp"

#include <fmt/format.h>
#include "io/report/palette.hpp"
#include "io/report/svg_plot.hpp"

namespace granary {
namespace {

// The colours as variables, by day or by night.
std::string colours(const char* Colour::*of) {
    std::string s;
    const auto add = [&](const Colour& c) { s += fmt::format("--{}:{};", c.name, c.*of); };
    add(page_ground), add(card_ground);
    for (const Colour& c : inks) add(c);
    for (const Colour& c : curve_colours) add(c);
    for (const Colour& c : faint) add(c);
    return s;
}

constexpr const char* rules = R"(
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",
"Liberation Sans",sans-serif;-webkit-text-size-adjust:100%;overflow-wrap:break-word}
main{max-width:1240px;margin:0 auto;padding:20px 16px 40px}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 4px;text-wrap:balance}
h2{font-size:1.15rem;margin:32px 0 10px}
h3{font-size:1rem;margin:0}
p{margin:0 0 8px}
.soft,.about,figcaption p,th{color:var(--soft)}
.soft,.about,figcaption p{font-size:.875rem}
code,pre{font-family:ui-monospace,"Cascadia Mono","DejaVu Sans Mono",Consolas,monospace;font-size:.82rem}
.state{display:inline-block;border:1px solid currentColor;border-radius:999px;padding:0 10px;font-size:.875rem;
font-weight:600;margin:2px 8px 6px 0}
.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}
.card{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:12px 14px;margin:0;min-width:0}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(148px,1fr));gap:10px;margin:14px 0 0;padding:0}
.tiles div{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:9px 12px}
.tiles dt{color:var(--soft);font-size:.8rem}
.tiles dd{margin:0;font-size:1.15rem;font-weight:600;font-variant-numeric:tabular-nums;line-height:1.35}
.tiles div.bad{border-color:var(--bad);border-width:2px}
.tiles .bad dt,.tiles .bad dd{color:var(--bad)}
.tiles div.words{grid-column:span 2}
.tiles dd small{font-size:.8rem;font-weight:400;color:var(--soft)}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(340px,100%),1fr));gap:14px}
.plots figure{display:flex;flex-direction:column}
.plots svg.plot{margin-top:auto}
.about,figcaption p{margin:0 0 6px;line-height:1.35}
.plots figure.tabs{display:block}
.tabs>input{position:absolute;opacity:0}
.tabs>label{display:inline-block;padding:1px 9px;margin:2px 4px 6px 0;border:1px solid var(--rule);border-radius:999px;font-size:.8rem;
color:var(--soft);cursor:pointer}
.tabs>input:checked+label{color:var(--page);background:var(--ink);border-color:var(--ink)}
.tabs>input:focus-visible+label{outline:2px solid var(--c0);outline-offset:2px}
.pane{display:none;flex-direction:column}
svg.plot{display:block;width:100%;height:auto}
svg text{font-size:12px;fill:var(--soft);font-family:inherit}
.ticks{font-variant-numeric:tabular-nums}
svg .word{font-size:10.5px}
.grid{stroke:var(--grid);stroke-width:1;fill:none}
.axis{stroke:var(--soft);stroke-width:1;fill:none}
.mark{stroke:var(--soft);stroke-width:.8;stroke-dasharray:1 3;fill:none}
.curve{fill:none;stroke-width:1.7;stroke-linejoin:round}
.curve.bold{stroke-width:3.2}
.area{stroke:var(--card);stroke-width:.5}
.faint{opacity:.3;stroke-width:1}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 14px;margin:0 0 4px;padding:0;font-size:.85rem}
.legend svg{width:28px;height:10px;margin-right:6px;vertical-align:middle}
details{margin-top:8px}
summary{cursor:pointer;color:var(--soft);font-size:.875rem;padding:4px 0}
summary:focus-visible{outline:2px solid var(--c0);outline-offset:2px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums;width:100%}
th,td{padding:4px 10px 4px 0;border-bottom:1px solid var(--rule);text-align:right;vertical-align:top}
th{font-weight:500}
tr:last-child>*{border-bottom:0}
th:first-child,td.text{text-align:left}
td.text{overflow-wrap:anywhere}
.bar{background:linear-gradient(90deg,var(--bar) var(--w),transparent var(--w));padding-left:8px;border-radius:2px}
.scroll+p{margin:8px 0 0}
.list{margin:0;padding-left:20px}
pre{margin:8px 0 0;padding:10px 12px;overflow-x:auto;background:var(--page);border-radius:6px;white-space:pre}
.pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(300px,100%),1fr));gap:14px}
.pictures img{display:block;max-width:100%;max-height:80vh;height:auto;margin:0 auto;border-radius:6px}
#view canvas{display:block;width:100%;height:min(72vh,600px);touch-action:pan-y;cursor:grab;border-radius:6px}
#view canvas:active{cursor:grabbing}
#view canvas:focus-visible{outline:2px solid var(--c0)}
.tools,.scale{display:flex;flex-wrap:wrap;gap:6px 16px;align-items:center;font-size:.85rem;margin:8px 0}
.scale{gap:4px 10px}
.scale b{flex:0 1 220px;height:12px;border-radius:3px}
.scale i{display:inline-block;width:12px;height:12px;border-radius:3px;margin-right:5px;vertical-align:-1px}
.tools select,.tools button,.tools input{font:inherit;color:inherit;accent-color:var(--c0)}
.tools select,.tools button{background:var(--page);border:1px solid var(--rule);border-radius:6px;padding:2px 8px}
.tools input[type=range]{width:120px;vertical-align:middle}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(420px,100%),1fr));gap:14px;align-items:start}
footer{margin-top:32px;color:var(--soft);font-size:.8rem}
@media (min-width:1060px){.tiles{grid-template-columns:repeat(7,1fr)}}
@media (max-width:480px){main{padding:14px 10px 28px}.card{padding:10px}.tiles{grid-template-columns:1fr 1fr}}
@page{size:A4;margin:14mm}
@media print{
body{background:#fff;font-size:10.5pt}
main{max-width:none;padding:0}
.plots,.two{grid-template-columns:1fr 1fr;gap:8px}
.tiles{grid-template-columns:repeat(4,1fr);gap:6px}
.pictures{grid-template-columns:1fr 1fr}
.pictures img{max-height:110mm}
.card,.tiles div{border-color:#bbb;break-inside:avoid}
h2{break-after:avoid;margin-top:18px}
.tools{display:none}
#view canvas{height:110mm}
.scale b,.scale i,.area,.tabs>input:checked+label{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.tabs>input:not(:checked)+label{display:none}
details:not([open]),section:has(>details:not([open])){display:none}
pre{white-space:pre-wrap}
.bar{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
)";

}  // namespace

std::string report_style() {
    std::string s = ":root{color-scheme:light dark;" + colours(&Colour::day) + "}\n";
    s += "@media screen and (prefers-color-scheme:dark){:root{" + colours(&Colour::night) + "}}\n";
    s += rules;
    for (std::size_t k = 0; k < curve_colours.size(); ++k) {
        s += fmt::format(".k{}{{stroke:var(--c{})}}.dots.k{}{{fill:var(--c{});stroke:none}}", k, k, k, k);
        if (*curve_dashes[k] != 0) s += fmt::format(".d{}{{stroke-dasharray:{}}}", k, curve_dashes[k]);
    }
    for (std::size_t k = 1; k <= most_tabs; ++k)
        s += fmt::format("{}.tabs>input:nth-of-type({}):checked~.pane:nth-of-type({})", k == 1 ? "\n" : ",", k, k);
    s += "{display:flex}";
    return s;
}

}  // namespace granary
