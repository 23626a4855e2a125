# jobs/compare-peers: programs that are there must agree on tiny scenes, and a difference must be seen. Installs nothing; speeds are not judged.
source "$2/tests/support/program.bash"
limit=170
need python3 h5dump mpirun
tool="$2/jobs/compare-peers"

start python3 "$tool" --only lammps,edem
expect_code 2
expect_text err '^jobs/compare-peers: --only edem: expected some of lammps, liggghts, yade$'
start python3 "$tool" --steps 1
expect_code 2
start python3 "$tool" --self-test --granary nowhere
expect_code 2
expect_text err '^jobs/compare-peers: nowhere is missing'

# The judgement itself, on results made up here: a peer that agrees, and peers that are off in one quantity each.
start python3 - "$2/jobs/lib" <<'PY'
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from peers import grain, tables
from peers.result import Result

def entry(scene, code, **changed):
    e, r = tables.Entry(scene, code, "hertz", 1), Result()
    r.balls, r.steps, r.wall, r.cpu, r.bytes, r.contacts, r.kinetic, r.neighbour = 100, 10, 1.0, 2.0, 1e6, 260, 1e-6, 0.1
    if scene == "bed":
        r.floor = 1.0
    else:
        r.out = 0.1
    for name, value in changed.items():
        setattr(r, name, value)
    e.results.append(r)
    return e

def complaints(scene, **changed):
    return tables.check_rows([entry(scene, "granary"), entry(scene, "lammps", **changed)], {"granary": "G", "lammps": "L"}, tables.Limits())[2]

for scene, changed, said in (
        ("bed", {}, ""), ("bed", {"contacts": 262}, "contacts"), ("bed", {"kinetic": 1.2e-6}, "energy"), ("bed", {"floor": 1.02}, "floor"),
        ("silo", {}, ""), ("silo", {"out": 0.106}, "discharged"), ("silo", {"out": 0.104}, ""), ("bed", {"kinetic": float("nan")}, "energy")):
    found = complaints(scene, **changed)
    assert len(found) == (1 if said else 0) and said in "".join(found), (scene, changed, found)

# Speeds: by CPU time and by wall clock, against Granary on as many ranks.
head, rows = tables.speed_rows([entry("bed", "granary"), entry("bed", "lammps", cpu=6.0, wall=4.0)], {"granary": "G", "lammps": "L"})
assert rows[1][-2:] == ["3.00", "4.00"] and rows[0][-2:] == ["1", "1"], rows

# Contacts across a periodic face, and the restitution that stands for the damper.
pair = [(0.001, 0.05, 0.05, 0.0025), (0.0965, 0.05, 0.05, 0.0025)]
assert len(grain.contacts(pair, (0, 0, 0), (0.1, 0.1, 0.1), True)) == 1 and not grain.contacts(pair, (0, 0, 0), (0.1, 0.1, 0.1), False)
assert abs(grain.tsuji_fit(grain.tsuji_restitution()) - 5 ** 0.5 * grain.beta) < 1e-12
PY
expect_code 0

printf 'before\n<!-- generated: peers -->\nold\n<!-- end -->\nafter\n' >page.md
ln -s "$granary" here   # a relative path, and scenes are made in folders of their own
start python3 "$tool" --self-test --ranks 2 --granary ./here --work work --markdown page.md
if [[ $code -eq 77 ]]; then
    leave_out "the comparison itself: no peer is installed (jobs/compare-peers installs them)"
    finish
fi
expect_code 0
expect_text out '^what must agree: agrees$'
expect_text out '^bed +Granary +Hertz +2 '
expect_text out '^silo +Granary +Hertz +2 '
expect_no_text out 'DIFFERS|nan'
expect_equal "lines around the region" "$(sed -n '1p;$p' page.md | tr '\n' ' ')" "before after "
expect_no_text page.md '^old$'
expect_text page.md '^\| bed \| Granary \| Hertz \| 2 \| 1 350 \| 50 \| '
for peer in LAMMPS:lmp LIGGGHTS:liggghts Yade:yade; do
    command -v "${peer#*:}" >/dev/null || continue
    expect_text out "^bed +${peer%:*} .* agrees: contacts"
    expect_text out "^silo +${peer%:*} .* agrees: energy"
done

# A page without the region is an error, not a page without numbers.
start python3 - "$2/jobs/lib" <<'PY'
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from peers import tables
open("bare.md", "w").write("nothing\n")
try:
    tables.fill_region("bare.md", "peers", "text")
except ValueError:
    sys.exit(0)
sys.exit(1)
PY
expect_code 0
finish
