"""What look.html has seen of a page, judged: python3 judge.py seen.json name-of-the-page."""
import html
import json
import sys

faults = []


def check(what, good):
    if not good:
        faults.append(what)


with open(sys.argv[1], encoding="utf-8") as file:
    seen = json.loads(html.unescape(file.read()))
compared = "compare" in sys.argv[2]
wanted = (
    {"Mass inside", "Mass out", "Flow rate", "Kinetic energy", "Load on all walls", "Pressure on cylinder", "Speed"}
    if compared
    else {"Mass", "Flow rate", "Kinetic energy", "Energy balance", "Load on the walls", "Pressure on cylinder", "Speed",
          "Imbalance over ranks"}
)
for width in ("phone", "desk"):
    page = seen[width]
    plots = {p["title"]: p for p in page["plots"]}
    check(f"{width}: plots {sorted(wanted - set(plots))} are missing", wanted <= set(plots))
    check(f"{width}: {page['wide']} pixels wide, {page['room']} are there", page["wide"] <= page["room"])
    check(f"{width}: fetched {page['fetched']}", not page["fetched"])
    if not compared:
        check(f"{width}: pictures {page['images']}", page["images"] == [8])
    for title, plot in plots.items():
        where = f"{width}, {title}"
        check(f"{where}: no curve", plot["curves"])
        check(f"{where}: not described", plot["described"] > 0 or compared)
        check(f"{where}: letters of {plot['letters']:.1f} pixels", plot["letters"] >= 9)
        check(f"{where}: text outside: {plot['clipped']}", not plot["clipped"])
        for k, curve in enumerate(plot["curves"]):
            check(f"{where}: curve {k} is not seen: {curve}", curve["length"] > 30 and curve["inside"])
            check(f"{where}: curve {k} has no colour", curve["stroke"].startswith("rgb"))
check("one column on a phone", all(p["columns"] == 1 for p in seen["phone"]["plots"]))
check("several columns on a desk", all(p["columns"] == 3 for p in seen["desk"]["plots"]))
if not compared:
    curves = {p["title"]: len(p["curves"]) for p in seen["desk"]["plots"]}
    check(f"numbers of curves {curves}", curves.get("Mass") == 3 and curves.get("Load on the walls", 0) >= 4
          and curves.get("Pressure on cylinder") == 2)
for figure in seen["tabs"]:
    check(f"tabs {seen['tabs']}", len(figure) > 1 and all(shown == 1 for shown in figure))
for width, view in seen["space"].items():
    if compared:
        check(f"{width}: a comparison has no 3D view", view is None)
        continue
    where = f"{width}, 3D view {view}"
    check(f"{where}: not by WebGL", view["painter"] == "webgl")
    check(f"{where}: too little or too much is covered", 0.02 < view["covered"] < 0.9)
    check(f"{where}: hardly any colours", view["colours"] > 20)
    check(f"{where}: it does not turn", view["turns"] and view["back"] and view["drags"])
    check(f"{where}: no moments or colours to choose", len(view["choices"]) == 2 and min(view["choices"]) > 1)
    check(f"{where}: too wide", view["width"] <= view["room"])
    check(f"{where}: no legend", "m/s" in view["legend"])
print("\n".join(faults) or "all is well")
sys.exit(bool(faults))
