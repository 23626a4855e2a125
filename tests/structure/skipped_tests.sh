#!/usr/bin/env bash
# Sees that a script of tests/program that lacks a tool ends with 77, which ctest reports as skipped, and that none ends with 0 by hand.
#     bash tests/structure/skipped_tests.sh SOURCE_FOLDER
set -uo pipefail
top="$1"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failed=0

ends_with() {   # exit code, part of what it prints, script
    printf 'source "$2/tests/support/program.bash"\n%s\n' "$3" >script.sh
    local out code
    out="$(bash script.sh none "$top" 2>&1)"
    code=$?
    if [[ $code -ne $1 || "$out" != *"$2"* ]]; then
        printf 'FAILED: exit code %s instead of %s, or not "%s", from:\n%s\n%s\n' "$code" "$1" "$2" "$3" "$out"
        failed=1
    fi
}
one='check "one" true'
ends_with 0 '1 checks, 0 failures' "need bash /dev/null; if have bash; then $one; fi; finish"
ends_with 77 'skipped: no-such-tool is not there' "need bash no-such-tool; $one; finish"
ends_with 77 'skipped: /no/such/module is not there' "need /no/such/module; $one; finish"
ends_with 77 'skipped: in part: what needs no-such-tool' "$one; if have no-such-tool; then $one; fi; finish"
ends_with 77 'skipped: in part: the film' "$one; leave_out 'the film'; finish"
ends_with 1 'FAILED: two' "leave_out 'the film'; check two false; finish"
ends_with 1 'FAILED: nothing was checked' finish

if grep -nE '^[^#]*\bexit 0\b' "$top"/tests/program/*.sh "$top"/tests/validation/*.sh; then
    echo "FAILED: the lines above end a test as passed; use need, have or skip of tests/support/program.bash"
    failed=1
fi
exit $failed
