# The elementary functions (core/elementary.hpp) have the same bits with every compiler that is here, whatever it optimizes and whatever
# instructions the CPU has. bash same_functions.sh SOURCES
set -u
sources="$1"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/main.cpp" <<'EOF'
#include "support/elementary_bits.hpp"
#include <cstdio>
int main() { std::printf("%016llx\n", static_cast<unsigned long long>(support::bits_of_elementary())); }
EOF
expected="$(grep -oE 'bits_of_elementary\(\), 0x[0-9a-f]+' "$sources/tests/core/elementary_test.cpp" | sed 's/.*0x//')"
failed=0 tried=0
for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || continue
    for options in "-O0" "-O1" "-O3 -march=native"; do
        if ! "$compiler" -std=c++20 -ffp-contract=off -fno-math-errno $options -I"$sources/src" -I"$sources/tests" "$scratch/main.cpp" \
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
