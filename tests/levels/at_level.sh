# Runs a command with the library of one level of x86-64 (GRANARY_CPU_LEVELS), whatever the CPU could do better.
#     bash at_level.sh x86-64-v3 GRANARY command ...
# Exit code 77 if this CPU is too old for the level.
set -u
level="$1" granary="$2"
shift 2
libraries="$(dirname "$granary")/lib/granary"
[[ -d "$libraries" ]] || libraries="$(dirname "$granary")/../lib/granary"   # installed
if [[ "$level" == x86-64 ]]; then   # out of the way of the others
    alone="$(mktemp -d)"
    trap 'rm -rf "$alone"' EXIT
    ln -s "$(realpath "$libraries")/libgranary.so" "$alone/"
    libraries="$alone"
else
    libraries+="/glibc-hwcaps/$level"
    cpu="$(grep -m 1 '^flags' /proc/cpuinfo)"
    needed="avx2 bmi2 fma movbe"
    [[ "$level" != x86-64-v4 ]] || needed="avx512f avx512bw avx512cd avx512dq avx512vl"
    for flag in $needed; do
        [[ " $cpu " == *" $flag "* ]] || { echo "skipped: this CPU has no $flag"; exit 77; }
    done
fi
[[ -s "$libraries/libgranary.so" ]] || { echo "no library for $level in $libraries"; exit 1; }
export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
running="$("$granary" --version | sed -n 's/.*; running //p')"
[[ "$running" == "$level" ]] || { echo "wanted $level, running ${running:-nothing}"; exit 1; }
"$@"
