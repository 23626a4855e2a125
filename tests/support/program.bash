# For the scripts in tests/program:   source "$2/tests/support/program.bash"   with the script's own arguments.
# A script calls granary by `alone` or `on <ranks>`, says what it expects, and ends with `finish`.
granary="$1"
cases="$2/jobs/cases"
grain="$2/tests/support/grain.toml"   # a material, to be appended to a case
limit=60      # seconds after which a call counts as hung on an idle machine
patience=5    # times that on a busy one: no test fails because others compute, too
code=         # exit code of the last call; its output is in the files out and err
call=
n_checks=0
n_failures=0
left_out=()   # tools that were missing, so that a part was left out

start() {   # any command
    call="$*"
    timeout -k 5 $((limit * patience)) "$@" >out 2>err </dev/null
    code=$?
    [[ $code -ne 124 && $code -ne 137 ]] || complain "hung for $((limit * patience)) s"
}
alone() { start "$granary" "$@"; }
on() { local ranks="$1"; shift; start mpirun -n "$ranks" "$granary" "$@"; }

complain() {
    n_failures=$((n_failures + 1))
    printf 'FAILED: %s\n    after: %s (exit code %s)\n' "$1" "$call" "$code"
    [[ ! -e out ]] || sed 's/^/    out: /' out | tail -n 15
    [[ ! -e err ]] || sed 's/^/    err: /' err | tail -n 25
}
check() {   # check "what is expected" command...
    local what="$1"; shift
    n_checks=$((n_checks + 1))
    "$@" || complain "$what"
}
expect_code() { check "exit code $1" test "$code" -eq "$1"; }
expect_text() { check "text /$2/ in $1" grep -qE -- "$2" "$1"; }            # file, regular expression
expect_no_text() { check "no text /$2/ in $1" not grep -qE -- "$2" "$1"; }
expect_file() { check "file $1" test -s "$1"; }
expect_nothing() { check "nothing at $1" test ! -e "$1"; }
expect_equal() { check "$1: '$2' equal to '$3'" test "$2" = "$3"; }          # what, a, b
not() { ! "$@"; }

# The program says what is wrong once, on however many ranks; what mpirun adds does not count.
expect_one_message() {
    expect_equal "number of messages" "$(grep -c '^granary: ' err)" 1
    expect_text err "^granary: .*$1"
}

digest() { sed -n 's/^digest \([0-9a-f]\{32\}\)$/\1/p' out; }   # that the last run printed

# A tool that is missing: exit code 77, which ctest reports as skipped, never as passed.
need() {   # tools without which the whole script makes no sense: programs, or paths of files
    local tool
    for tool in "$@"; do
        if ! command -v "$tool" >/dev/null && [[ ! -e "$tool" ]]; then skip "$tool is not there (jobs/setup --report installs all tools)"; fi
    done
}
skip() { echo "skipped: $1"; exit 77; }
have() {   # if have TOOL; then ... fi: for a part of a script. What else fails still fails; if nothing does, the script counts as skipped.
    ! command -v "$1" >/dev/null || return 0
    leave_out "what needs $1, which is not installed (jobs/setup installs it)"
    return 1
}
leave_out() {
    local known
    for known in "${left_out[@]}"; do [[ $known != "$1" ]] || return 0; done
    left_out+=("$1")
}

finish() {
    echo "$n_checks checks, $n_failures failures"
    [[ $n_failures -eq 0 ]] || exit 1
    [[ ${#left_out[@]} -eq 0 ]] || skip "in part: $(printf '%s; ' "${left_out[@]}")"
    if [[ $n_checks -eq 0 ]]; then echo "FAILED: nothing was checked"; exit 1; fi
    exit 0
}
