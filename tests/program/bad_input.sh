# A case with a mistake: exit code 2, one message that says where, nothing left behind, on any number of ranks.
source "$2/tests/support/program.bash"
rain="$cases/rain-box.toml"

# What the message must hold, then the options of `granary run`. Stops before anything is written.
refused_by() {
    local call="$1" text="$2"; shift 2
    $call run "$@" --out refused
    expect_code 2
    expect_one_message "$text"
    expect_nothing refused
}
refused() { refused_by alone "$@"; }
refused_by_all() { refused_by alone "$@"; refused_by "on 3" "$@"; }

line_of() { grep -n "$1" "$2" | head -n 1 | cut -d: -f1; }
sed '0,/^friction/s//frictoin/' "$rain" >typo.toml
refused_by_all "typo.toml:$(line_of frictoin typo.toml):1: .*frictoin.*did you mean .*friction" typo.toml
sed 's/^radius_max = .*/radius_max = -1.0/' "$rain" >negative.toml
refused "negative.toml:$(line_of radius_max negative.toml):14: .*radius_max" negative.toml
echo 'title = "no end' >broken.toml
refused 'broken.toml:1:[0-9]+: not valid TOML' broken.toml
refused_by_all '--set run.dt=0: ' "$rain" --set run.dt=0
refused_by_all 'nowhere.toml: cannot be read: No such file' nowhere.toml
refused 'it is a folder' "$cases"

# All mistakes in one go: one message of several lines.
alone run typo.toml --set run.dt=0
expect_equal "lines" "$(grep -cE 'frictoin|run.dt' err)" 2

# Balls from a file.
sed -e '/^\[\[insert\]\]/,/^velocity/d' "$rain" >balls.toml
printf '[[bodies]]\nsource = "file"\nfile = "balls.txt"\nmaterial = "grain"\n' >>balls.toml
balls() { printf '%s\n' "$@" >balls.txt; }
rm -f balls.txt
refused 'balls.txt: .*No such file' balls.toml
balls '0 0 0.1 0.0025' '0 0 0.11'
refused 'balls.txt:2: ' balls.toml
balls '0 0 0.1 0.0025' '0 0 0.21 0.0025'
refused_by_all 'ball 1 .*at \(0, 0, 0.21\) m is outside the domain, .* -0.05 to 0.2 m along z' balls.toml
refused 'ball 1 .*at \(0, 0, 0.21\) m is outside the domain, .* -0.05 to 0.2 m along z' balls.toml --set run.slab_axis=x
balls '0 0 0.1 0.0025' '0.0495 0 0.1 0.0025'
refused 'ball 1 .* reaches 80 % of its radius into the wall "shell"' balls.toml
balls '0 0 0.1 0.0025' '0.02 0 0.1 0.0025' '0 0.001 0.1 0.0025'
refused_by_all 'ball [02] .* and ball [02] .* overlap by 160 % of the smaller radius' balls.toml
balls '0 0 0.1 0.0025' '0.02 0 0.1 0.0025' '0 0.0045 0.1 0.0025'
alone run balls.toml --steps 1
expect_code 0
expect_text out '^warning: at the start ball .* overlap by 20 %'
balls '0 0 0.1 0.0025' '0.02 0 0.1 0.0025'
alone run balls.toml --steps 1 --overwrite
expect_code 0
expect_no_text out warning

# Where results cannot go. (As root every folder may be written, so /proc stands for one that may not.)
touch in-the-way
for folder in in-the-way in-the-way/deeper /proc/granary; do
    alone run "$rain" --out "$folder"
    expect_code 2
    expect_one_message "cannot write results into $folder: .*--out"
    expect_equal "output" "$(cat out)" ""
done
on 3 run "$rain" --out in-the-way
expect_code 2
expect_one_message "cannot write results into in-the-way: in-the-way is not a folder"
mkdir -p taken/state.h5
alone run "$rain" --out taken
expect_code 2
expect_one_message 'state.h5 is a folder'

# Files that are no states.
no_state() {
    alone digest "$1"
    expect_code 2
    expect_one_message "$2"
    expect_equal "output" "$(cat out)" ""
}
no_state nowhere.h5 'nowhere.h5: cannot read the state: No such file'
no_state typo.toml 'typo.toml: is not a state file'
no_state taken 'taken: is not a file'
finish
