# Chromium, without a screen and without a network, shows the report: its curves are drawn, at the width of a phone and of a desk; there is no
# error on its console; nothing is fetched.
source "$2/tests/support/program.bash"
browser="$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)"
need "${browser:-chromium}" python3
limit=90
# All that the browser asks the network for goes to a proxy that writes it down.
python3 "$2/tests/report/trap.py" port requests &
trap 'kill %1 2>/dev/null' EXIT
for _ in {1..1500}; do [[ -e port ]] && break; sleep 0.1; done
open_page() {   # further options, then the page; what the console says is in err
    start env -i "PATH=$PATH" "HOME=$PWD/home" "$browser" --headless --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --hide-scrollbars \
        "--user-data-dir=$PWD/profile" --no-first-run --disable-background-networking --disable-component-update \
        --disable-sync --disable-extensions --disable-dev-shm-usage --allow-file-access-from-files \
        "--proxy-server=127.0.0.1:$(<port)" --enable-logging=stderr --log-level=0 \
        --virtual-time-budget=3000 "$@"
}
mkdir home

# A run with everything: frames would need minutes, so the numbers of a small silo, and a picture and pressures put beside them.
on 2 run "$cases/silo-tiny.toml" --quiet --out silo --set output.frames_every=0.1
expect_code 0
python3 "$2/tests/report/make_extras.py" silo
alone report silo
expect_code 0
cp -r silo other
alone report silo other --out compare.html
expect_code 0

# The console would tell: a page that fetches something, and one with a fault.
cat >bad.html <<'HTML'
<!DOCTYPE html><html><head><title>bad</title></head><body><img src="http://example.org/a.png"><script>nothing_of_the_kind()</script></body></html>
HTML
open_page --dump-dom "file://$PWD/bad.html"
expect_text err 'CONSOLE.*ReferenceError'
expect_text requests '^GET http://example.org/a.png '
# The browser has wishes of its own, of its maker's servers.
of_pages() { grep -vE '^[A-Z]+ (http://)?[a-z0-9.-]*(google\.com|googleapis\.com|gvt1\.com)[:/]|example\.org' requests; }

for page in silo/report.html compare.html; do
    check "nothing from outside in $page" not grep -qE '(src|href)="(https?:)?//|url\(|@import|<iframe|<object|<embed' "$page"
    # Two frames, as wide as a phone and a desk, and a script that looks into them and writes down what it sees.
    sed "s|PAGE|$page|g" "$2/tests/report/look.html" >look.html
    open_page --virtual-time-budget=20000 --dump-dom "file://$PWD/look.html"
    expect_code 0
    expect_no_text err 'CONSOLE'
    expect_equal "requests to the network" "$(of_pages)" ""
    sed -n 's/.*<pre id="seen">\([^<]*\)<.*/\1/p' out >seen.json
    expect_file seen.json
    start python3 "$2/tests/report/judge.py" seen.json "$page"
    expect_code 0
done

check "no script in a comparison" not grep -q '<script' compare.html

# Without WebGL the balls are drawn all the same.
open_page --disable-3d-apis --dump-dom "file://$PWD/silo/report.html"
expect_code 0
expect_no_text err 'CONSOLE.*(Error|Refused)'
expect_text out 'data-painter="plain"'
expect_text out 'This browser has no WebGL 2'

# Grains that are no balls: an ellipsoid and a polyhedron are copies of a mesh, a clump is drawn as its balls.
cat >kinds.toml <<'TOML'
[run]
dt = 1e-6
steps = 1
[domain]
lower = [0.0, 0.0, 0.0]
upper = [0.1, 0.05, 0.05]
[[shapes]]
name = "egg"
type = "ellipsoid"
semi_axes = [0.01, 0.006, 0.005]
[[shapes]]
name = "die"
type = "cube"
edge = 0.01
[[shapes]]
name = "nut"
type = "clump"
balls = [[0.0, 0.0, 0.0, 0.005], [0.007, 0.0, 0.0, 0.004]]
TOML
for kind in '0.01 ' '0.03 shape = "egg"' '0.05 shape = "die"' '0.08 shape = "nut"'; do
    printf '[[bodies]]\nsource = "ball"\nmaterial = "grain"\nposition = [%s, 0.025, 0.025]\n%s\n' "${kind%% *}" "${kind#* }"
done | sed 's/^$/radius = 0.004/' | cat - "$grain" >>kinds.toml
alone run kinds.toml --quiet --out kinds
expect_code 0
open_page --virtual-time-budget=10000 --dump-dom "file://$PWD/kinds/report.html"
expect_code 0
expect_no_text err 'CONSOLE'
expect_text out 'data-painter="webgl"'
expect_text out 'data-spheres="3"'
expect_text out 'data-meshes="1x528 1x12"'
expect_text out '4 grains<'
open_page --disable-3d-apis --dump-dom "file://$PWD/kinds/report.html"
expect_no_text err 'CONSOLE.*(Error|Refused)'
expect_text out 'This browser has no WebGL 2: grains are drawn as circles'

# Pixels: the colours of the first curves are there, in each theme, on a page that is not blank.
for theme in day night; do
    dark=()
    [[ $theme == day ]] || dark=(--force-dark-mode --blink-settings=preferredColorScheme=0)
    [[ $theme == night ]] || dark=(--blink-settings=preferredColorScheme=1)
    open_page "${dark[@]}" "--screenshot=$PWD/$theme.png" --window-size=1280,3600 "file://$PWD/silo/report.html"
    expect_code 0
    expect_file "$theme.png"
    start python3 "$2/tests/report/pixels.py" "$theme.png" "$theme" "$2/io/report/palette.hpp"
    expect_code 0
done

# Paper: a PDF of a few pages.
open_page --no-pdf-header-footer "--print-to-pdf=$PWD/report.pdf" "file://$PWD/silo/report.html"
expect_code 0
expect_equal "PDF" "$(head -c 5 report.pdf)" "%PDF-"
finish
