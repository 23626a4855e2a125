# A program for any x86-64 CPU (GRANARY_CPU_LEVELS) takes the best library that this one can run, can be made to take any, and works from
# wherever it is installed. bash levels.sh GRANARY SOURCES BUILD levels...
source "$2/tests/support/program.bash"
build="$3"
levels=("${@:4}")
limit=170
here="$2/tests/levels"

running() { "$1" --version | sed -n 's/.*; running //p'; }
best=x86-64
for level in "${levels[@]}"; do
    start bash "$here/at_level.sh" "$level" "$granary" true
    if [[ $code -eq 77 ]]; then
        leave_out "$level, which this CPU has not"
        continue
    fi
    expect_code 0
    [[ "$best" > "$level" ]] || best="$level"
done
expect_equal "level taken" "$(running "$granary")" "$best"

# Functions of the program's own version of a header stay in the program, those of the library in the library; what the program asks of the library
# is in the library of each level.
nm -D --defined-only "$build/lib/granary/libgranary.so" | awk '{ print $NF }' | sort -u >defined
nm -D --undefined-only "$granary" | awk '{ print $NF }' | sort -u | comm -12 - defined >asked
check "the program asks for much of the library" test "$(wc -l <asked)" -gt 100
for level in "${levels[@]}"; do
    [[ "$level" != x86-64 ]] || continue
    library="$build/lib/granary/glibc-hwcaps/$level/libgranary.so"
    expect_file "$library"
    expect_equal "not in $level" "$(nm -D --defined-only "$library" | awk '{ print $NF }' | sort -u | comm -23 asked - | tr '\n' ' ')" ""
    check "$level has instructions of its own" bash -c "objdump -d --no-show-raw-insn '$library' | grep -q '%ymm'"
done
check "x86-64 has no AVX" bash -c "! objdump -d --no-show-raw-insn '$build/lib/granary/libgranary.so' | grep -q '%[yz]mm'"

# Installed, moved and run from elsewhere, without a word from outside.
start cmake --install "$build" --prefix "$PWD/first"
expect_code 0
mv first second
mkdir empty
for level in "${levels[@]}"; do
    start bash -c "cd empty && exec bash '$here/at_level.sh' $level ../second/bin/granary ../second/bin/granary run '$cases/rain-box.toml' --quiet --out $level"
    [[ $code -ne 77 ]] || continue
    expect_code 0
    expect_equal "digest with $level" "$(digest)" "$(sed -n 's/^rain-box \([0-9a-f]*\) .*/\1/p' "$2/tests/program/recorded/runs.txt")"
done
expect_equal "level taken after a move" "$(running second/bin/granary)" "$best"
check "no library of the build folder" bash -c "! ldd second/bin/granary | grep -F '$build/lib/'"
rm second/lib/granary/glibc-hwcaps/*/libgranary.so
expect_equal "level taken where there is but one" "$(running second/bin/granary)" x86-64
finish
