# `granary report`: made at the end of a run, anew for a run that broke off, and for several runs side by side.
source "$2/tests/support/program.bash"

alone run "$cases/rain-box.toml" --quiet --out rain
expect_code 0
expect_file rain/report.html
expect_text rain/report.html '<span class="state good">finished</span>'
for title in Mass 'Flow rate' 'Kinetic energy' 'Load on the walls' Speed; do
    expect_text rain/report.html "<h3>$title</h3>"
done
expect_no_text rain/report.html 'https?://|Imbalance over ranks'
# One script, that of the 3D view, as it stands in the sources; the page allows it by its hash and no other.
expect_equal "scripts" "$(grep -o '<script[^>]*>' rain/report.html | tr '\n' ' ')" '<script type="application/json" id="view-data"> <script> '
hash="$(printf '%b' "$(sha256sum "$2/io/report/view.js" | cut -c1-64 | sed 's/../\\x&/g')" | base64)"
check "the script's hash in the policy" grep -qF "script-src 'sha256-$hash'\"" rain/report.html
check "the script as it is" test "$(sed -n '/^<script>/,/^<\/script>/p' rain/report.html | sed '1s/^<script>//; $d' | sha256sum)" = "$(sha256sum <"$2/io/report/view.js")"

# Two ranks share the work more or less evenly, and the page shows how. Before there is a ball it counts as even.
on 2 run "$cases/rain-box.toml" --quiet --out two --steps 500 --set output.series_every=1e-3
expect_code 0
expect_text two/report.html '<h3>Imbalance over ranks</h3>'
check "a column of imbalance, from 1 to 2" awk -F, '
    NR == 1 { for (k = 1; k <= NF; ++k) if ($k == "imbalance") c = k }
    NR > 1 && !(c && $c >= 1 && $c <= 2) { bad = 1 }
    NR > 1 && $c > 1 { uneven = 1 }
    END { exit bad || !uneven || NR < 5 }' two/series.csv

# Made anew, from anywhere, on any number of ranks; nothing else is touched.
cp -r rain again
rm again/report.html
(cd again && find . -type f | sort | xargs md5sum) >before
on 2 report again
expect_code 0
expect_equal "the page's name, once" "$(cat out)" "again/report.html"
check "other files as they were" md5sum --quiet -c <(sed 's| \./| again/|' before)
same() { cmp <(sed 's|results in [a-z]*|results|; s|on [0-9 ]*[A-Z][a-z]* [0-9]*, [0-9:]* UTC||' "$1") \
             <(sed 's|results in [a-z]*|results|; s|on [0-9 ]*[A-Z][a-z]* [0-9]*, [0-9:]* UTC||' "$2"); }
check "the same page" same rain/report.html again/report.html

# Broken off in the middle of a row.
rm again/phases.json
head -c 3000 rain/series.csv >again/series.csv
sed '/^digest/d' rain/log.txt >again/log.txt
alone report again --out elsewhere.html
expect_code 0
expect_text elsewhere.html '<span class="state warn">not finished</span>'
expect_text elsewhere.html 'There is no phases.json'

# A run that fails leaves its report, too.
alone run "$cases/two-balls.toml" --quiet --out lost --set 'bodies.upper.velocity=[0.0,0.0,30.0]'
expect_code 3
expect_text lost/report.html '<span class="state bad">failed</span>'
expect_text lost/report.html 'role="alert">lost: ball'

alone report rain again lost
expect_code 0
expect_equal "the name of the page" "$(cat out)" "compare.html"
expect_text compare.html '<h1>3 runs compared</h1>'
expect_text compare.html '<code>run.dt</code>'

# A page that cannot be written is a warning of the run, and no more.
mkdir -p blocked/report.html.part
alone run "$cases/two-balls.toml" --out blocked --steps 10
expect_code 0
expect_text out '^warning: no report was written: cannot write blocked/report.html: '
expect_text out '^digest '

alone report nowhere
expect_code 2
expect_one_message 'nowhere is not a folder'
alone report
expect_code 2
expect_one_message 'folder is required'
finish
