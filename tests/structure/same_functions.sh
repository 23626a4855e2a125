# The elementary functions (core/elementary.hpp), and lanes with a contact law (core/simd.hpp, core/lanes16.hpp), have the same bits with every
# compiler that is here, whatever it optimizes and whichever level of x86-64 it may use, as far as this CPU has it. bash same_functions.sh SOURCES
set -u
sources="$1"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/main.cpp" <<'END'
#include "support/elementary_bits.hpp"
#include "support/lanes_bits.hpp"
#include <cstdio>
int main() {
    std::printf("%llx %llx\n", static_cast<unsigned long long>(support::bits_of_elementary()),
                static_cast<unsigned long long>(support::bits_of_lanes()));
}
END
recorded() { sed -n "s/.*$2(), 0x\([0-9a-f]*\)u.*/\1/p" "$sources/tests/$1"; }
expected="$(recorded core/elementary_test.cpp bits_of_elementary) $(recorded contact/lanes_bits_test.cpp bits_of_lanes)"
cpu="$(grep -m 1 '^flags' /proc/cpuinfo 2>/dev/null)"
has() { local flag; for flag; do [[ " $cpu " == *" $flag "* ]] || return 1; done; }
all_options=("-O0" "-O1" "-O3 -march=native")
if [[ "$(uname -m)" == x86_64 ]]; then
    all_options+=("-O3")
    ! has avx2 bmi2 fma movbe || all_options+=("-O3 -march=x86-64-v3")
    ! has avx512f avx512bw avx512cd avx512dq avx512vl || all_options+=("-O3 -march=x86-64-v4")
fi
failed=0 tried=0
for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || continue
    for options in "${all_options[@]}"; do
        if ! "$compiler" -std=c++20 -ffp-contract=off -fno-math-errno -Wno-psabi $options -I"$sources/src" -I"$sources/tests" "$scratch/main.cpp" \
            "$sources"/src/core/elementary*.cpp -o "$scratch/main"; then
            echo "$compiler $options does not compile it"
            failed=1
            continue
        fi
        found="$("$scratch/main")"
        tried=$((tried + 1))
        echo "$compiler $options: $found"
        [[ "$found" == "$expected" ]] || { echo "    expected $expected"; failed=1; }
    done
done
[[ $tried -gt 0 ]] || exit 77
exit $failed
