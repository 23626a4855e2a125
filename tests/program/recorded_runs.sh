# Runs whose numbers are written down in recorded/runs.txt: a change of structure must not change a bit of them, on 1 and on 3 ranks.
# Each line there: name, digest of the last state, checksum of the rows of series.csv (without the columns of speed) and of the files of probes.
# A change that must change bits says why in its commit and writes them down anew: GRANARY_RECORD=1 bash recorded_runs.sh GRANARY SOURCES
# GRANARY_SHARES="1x2 2x2": on these numbers of ranks and threads. GRANARY_RUNS="silo mesh": only these.
source "$2/tests/support/program.bash"
here="$2/tests/program/recorded"
shares="${GRANARY_SHARES:-1x1 3x1}"
limit=170
[[ -z "${GRANARY_RECORD:-}" || -z "${GRANARY_RUNS:-}${GRANARY_SHARES:-}" ]] || { echo "GRANARY_RECORD writes down all runs anew, not some" >&2; exit 2; }
[[ -z "${GRANARY_RECORD:-}" ]] || : >"$here/runs.txt"

# Rows without what depends on the clock, and the files of probes.
rows() {   # folder
    {
        awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) out[k] = $k ~ /^(steps_per_second|imbalance)$/ }
                 { line = ""; for (k = 1; k <= NF; ++k) if (!out[k]) line = line "," $k; print line }' "$1/series.csv"
        cat "$1"/{pressure,loads,field,bands}-*.csv 2>/dev/null
    } | cksum | cut -d' ' -f1
}

same() {   # name, arguments of granary run
    local name="$1" both; shift
    [[ -z "${GRANARY_RUNS:-}" || " $GRANARY_RUNS " == *" $name "* ]] || return 0
    for both in $shares; do
        local threads=()
        [[ $both == *x1 ]] || threads=(--threads "${both#*x}")
        on "${both%x*}" run "$@" --out "$name-$both" "${threads[@]}"
        expect_code 0
        local found="$name $(digest) $(rows "$name-$both")"
        if [[ -n "${GRANARY_RECORD:-}" ]]; then
            [[ $both != 1x1 ]] || echo "$found" >>"$here/runs.txt"
        fi
        expect_equal "$name on $both ranks x threads" "$found" "$(grep "^$name " "$here/runs.txt")"
    done
}

same silo "$cases/silo-tiny.toml" --steps 12000 --set output.series_every=0.05 --set output.energy=true
same demo "$cases/silo-demo.toml" --steps 9000
same rain-box "$cases/rain-box.toml"
same linear "$cases/rain-box.toml" --set law.type=linear --set materials.grain.stiffness=2000.0 --set materials.steel.stiffness=1e6 \
    --set materials.steel.friction=0.3 --set materials.steel.restitution=0.6 --steps 25000
same rolling "$cases/rain-box.toml" --set law.rolling=spring --set materials.grain.rolling_friction=0.1 --set materials.steel.rolling_friction=0.1
same constant-rolling "$cases/rain-box.toml" --set law.rolling=constant --set materials.grain.rolling_friction=0.1 \
    --set materials.steel.rolling_friction=0.1 --steps 25000
same cohesion "$cases/rain-box.toml" --set law.cohesion=sjkr2 --set materials.grain.cohesion_density=1e4 --set materials.steel.cohesion_density=1e4 --steps 25000
same gear "$cases/rain-box.toml" --set run.integrator=gear --set law.rolling=spring --set materials.grain.rolling_friction=0.1 \
    --set materials.steel.rolling_friction=0.1 --steps 25000
same slabs-x "$cases/rain-box.toml" --set run.slab_axis=x
same lazarevic "$cases/lazarevic-2002.toml" --steps 3000
same drum "$cases/drum.toml" --steps 6000
same mesh "$cases/silo-mesh.toml" --steps 9000
same periodic "$cases/periodic-gas.toml" --steps 3000
same servo "$here/servo.toml"
same probes "$here/probes.toml"
finish
