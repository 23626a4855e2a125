# What a run computes does not depend on the C library's elementary functions, which round differently on different CPUs: none of the libraries of
# the rooms below calls one (core/elementary.hpp has our own). Rooms that only draw, print or measure the program may: io_log, io_report,
# io_insitu, bench, app. Not meant: functions whose results are exact or rounded in one way only (sqrt, floor, rint, fmod, remainder, frexp, ldexp).
# bash no_libm.sh BUILD
set -u
build="$1"
rooms="core shapes filling contact search motion walls measure decomposition engine io_formats io_case io_state io_frames plan observe run"
names='sin|cos|tan|sincos|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|powi|cbrt|hypot|erf|erfc|tgamma|lgamma|fma'
calls() {   # library: the functions that it calls and has not itself; also float and long double, vectors of them, and -ffinite-math's
    nm -u "$1" 2>/dev/null | awk '$1 == "U" { print $2 }' | sed 's/@.*//' | sort -u |
        grep -E "^(__)?($names)(f|l|f128)?(_finite)?$|^_ZGV[a-zA-Z0-9]+_($names)f?$"
}

libraries=()
for room in $rooms; do
    [[ ! -f "$build/libgranary_$room.a" ]] || libraries+=("$build/libgranary_$room.a")   # else: only headers, or in libgranary.so
done
mapfile -t -O "${#libraries[@]}" libraries < <(find "$build/lib/granary" -name libgranary.so 2>/dev/null)   # one a level of x86-64: core to engine
failed=0 looked=0
for library in "${libraries[@]}"; do
    looked=$((looked + 1))
    found="$(calls "$library" | tr '\n' ' ')"
    if [[ -n "$found" ]]; then
        echo "${library#"$build/"} calls functions of the C library that depend on the CPU: $found"
        nm -uA "$library" 2>/dev/null | grep -wE "$(echo $found | tr ' ' '|')" | sed 's/^/    /'
        failed=1
    fi
done
if [[ $looked -lt 8 ]]; then
    echo "only $looked libraries found in $build"
    exit 1
fi
# What finds nothing anywhere proves nothing: the axes of a report's curves do use logarithms.
if [[ -f "$build/libgranary_io_report.a" ]] && ! calls "$build/libgranary_io_report.a" | grep -q log10; then
    echo "the search does not find log10 in granary_io_report, where it is"
    failed=1
fi
exit $failed
