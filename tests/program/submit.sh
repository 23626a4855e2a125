# Batch scripts as jobs/submit writes them, with stand-ins for the schedulers; a chain of links that are too short, run here.
source "$2/tests/support/program.bash"
submit="$2/jobs/submit"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
try() { bash "$submit" "$@" >out 2>err; code=$?; }

# Slurm and PBS, looked at only.
try "$cases/rain-box.toml" --ranks 64 --many-ranks --time 02:00:00 --scheduler slurm --dry-run --program "$granary" --out slurm-run \
    --mail me@example.org --extra --partition=long --setup "$cases/../lib/link.sh" -- --set "gravity=[0, 0, -9.81]"
expect_equal code "$code" 0
for text in '^#SBATCH --ntasks=64$' '^#SBATCH --time=02:00:00$' '^#SBATCH --signal=B:USR1@600$' '^#SBATCH --partition=long$' \
    '^#SBATCH --mail-user=me@example.org$' '^granary_link .* 6600 -- ' '^sbatch .*/slurm-run/job.sbatch$'; do
    expect_text out "$text"
done
check "nothing is left to fill in" bash -c '! grep -E "@[A-Z_]+@" slurm-run/job.sbatch'
check "a sound script" bash -n slurm-run/job.sbatch
# All directives stand before the first command, or Slurm would not see them.
check "directives first" awk '/^[^#]/ && NF { seen = 1 } /^#SBATCH/ && seen { bad = 1 } END { exit bad }' slurm-run/job.sbatch
try "$cases/rain-box.toml" --ranks 48 --many-ranks --ranks-a-node 16 --time 00:30:00 --scheduler pbs --dry-run --program "$granary" --out pbs-run
expect_equal code "$code" 0
for text in '^#PBS -l select=3:ncpus=16:mpiprocs=16$' '^#PBS -l walltime=00:30:00$' '^granary_link .* 1620 -- ' '^qsub .*/pbs-run/job.pbs$'; do
    expect_text out "$text"
done
check "nothing is left to fill in" bash -c '! grep -E "@[A-Z_]+@" pbs-run/job.pbs'
check "a sound script" bash -n pbs-run/job.pbs

# What cannot be submitted is said.
refused() { local text="$1"; shift; try "$@"; expect_equal "code: $text" "$code" 2; expect_text err "$text"; }
refused 'a case is missing' --ranks 4 --time 01:00:00 --scheduler slurm
refused '--ranks is missing' "$cases/rain-box.toml" --time 01:00:00 --scheduler slurm
refused '--ranks 0: expected a whole number' "$cases/rain-box.toml" --ranks 0 --time 01:00:00 --scheduler slurm
refused '--time 2h: expected hours:minutes:seconds' "$cases/rain-box.toml" --ranks 4 --time 2h --scheduler slurm
refused '--time is missing' "$cases/rain-box.toml" --ranks 4 --scheduler pbs --program "$granary"
refused 'is too short' "$cases/rain-box.toml" --ranks 4 --time 00:01:00 --scheduler slurm --program "$granary"
refused '--scheduler sge: expected one of' "$cases/rain-box.toml" --ranks 4 --time 01:00:00 --scheduler sge
refused 'does not exist or cannot be read' nowhere.toml --ranks 4 --time 01:00:00 --scheduler slurm --program "$granary"
refused 'unknown option' "$cases/rain-box.toml" --rank 4
refused 'unknown key run.stepz' "$cases/rain-box.toml" --ranks 4 --time 01:00:00 --scheduler slurm --program "$granary" -- --set run.stepz=1
refused 'unknown key run.stepz' "$cases/rain-box.toml" --ranks 4 --time 01:00:00 --scheduler slurm --program "$granary" -- --set=run.stepz=1
refused '--set: a value is missing' "$cases/rain-box.toml" --ranks 4 --time 01:00:00 --scheduler slurm --program "$granary" -- --set
refused '--ranks 64: at most [0-9]+ are useful for this case' "$cases/rain-box.toml" --ranks 64 --time 01:00:00 --scheduler slurm --program "$granary"
refused 'must not have a line break' "$cases/rain-box.toml" --ranks 2 --time 01:00:00 --scheduler slurm --program "$granary" --extra $'--partition=long\nrm -r x'
refused 'must not have a line break' "$cases/rain-box.toml" --ranks 2 --time 01:00:00 --scheduler slurm --program "$granary" --out $'a\nb'
refused '--mail me you: expected an address' "$cases/rain-box.toml" --ranks 2 --time 01:00:00 --scheduler slurm --program "$granary" --mail 'me you'
check "nothing made for a wrong case" test ! -e rain-box

# Folders and options with signs that mean something to a shell or a scheduler: names are cleaned, paths quoted, and nothing is run or filled in twice.
strange='silo of 5 "mm" & 100% @RANKS@ $(touch trap)'
for scheduler in slurm pbs; do
    try "$cases/rain-box.toml" --ranks 2 --time 01:00:00 --scheduler $scheduler --dry-run --program "$granary" --out "$strange" \
        --launcher '--mca x $(touch${IFS}trap)' -- --set 'title=a "b" $(touch trap) @OUT@'
    expect_equal "code, $scheduler" "$code" 0
    script="$strange/job.sbatch"
    [[ $scheduler == slurm ]] || script="$strange/job.pbs"
    check "a sound script" bash -n "$script"
    # Its commands, with a stand-in for what they call: folder and options arrive as they were given.
    cat >stand-in.sh <<'SH'
granary_link() { printf '%s\n' "$@" >words; return 0; }
chain_say() { :; }
SH
    sed "s|^source .*link.sh.*|source '$PWD/stand-in.sh'|" "$script" >tried.sh
    (cd "$PWD" && bash tried.sh >/dev/null 2>&1)
    check "the folder as it was given" grep -qxF "$PWD/$strange" words
    check "the option as it was given" grep -qxF 'title=a "b" $(touch trap) @OUT@' words
    check "the launcher's words as they were given" grep -qxF '$(touch${IFS}trap)' words
    expect_nothing trap
done
expect_text "$strange/job.sbatch" '^#SBATCH --job-name=silo_of_5__mm____100___RANKS____touch_trap_$'
expect_text "$strange/job.sbatch" '^#SBATCH --output=".*/silo of 5 \\"mm\\" & 100%% @RANKS@ \$\(touch trap\)/job-%j.log"$'
expect_text "$strange/job.pbs" '^#PBS -N silo_of_5__mm____100___RANKS____touch_trap_$'
try "$cases/rain-box.toml" --ranks 2 --time 01:00:00 --scheduler pbs --dry-run --program "$granary" --out 12mm
expect_text 12mm/job.pbs '^#PBS -N granary-12mm$'

# A stand-in for sbatch runs the script at once, as a job; so the links follow one another, the first two with a
# second of time each, the third with as much as it needs: on a busy machine a second is enough for a few steps only.
mkdir bin
cat >bin/sbatch <<'SH'
#!/bin/bash
for word; do script="$word"; done
n=$(($(cat jobs.count 2>/dev/null || echo 0) + 1)); echo $n >jobs.count
echo "$n $*" >>sbatch.calls
if [ $n -gt 2 ]; then
    sed '/^granary_link /s/ 1 -- / 3000 -- /' "$script" >third.sbatch
    script=third.sbatch
fi
(SLURM_JOB_ID=$n SLURM_NTASKS=2 bash "$script" >>jobs.log 2>&1 </dev/null &)
echo $n
SH
chmod +x bin/sbatch
alone run "$cases/rain-box.toml" --out straight --quiet --set run.time=2
straight="$(digest)"
PATH="$PWD/bin:$PATH" try "$cases/rain-box.toml" --ranks 2 --time 00:00:03 --margin 2 --bind none --program "$granary" --out chain \
    --launcher --oversubscribe --scheduler slurm -- --set run.time=2
expect_equal code "$code" 0
for ((k = 0; k < 1200 * patience; k++)); do
    grep -q '"status": "finished"' chain/status.json 2>/dev/null && grep -q 'chain: done' jobs.log && break
    grep -qE 'given up|failed' jobs.log 2>/dev/null && break
    sleep 0.2
done
expect_text chain/status.json '"status": "finished"'
expect_equal "digest of the chain" "$(sed -n 's/^digest //p' chain/log.txt | tail -n 1)" "$straight"
check "more than one job" test "$(cat jobs.count)" -gt 1
expect_text sbatch.calls '^2 --parsable --dependency=afterany:1 .*/chain/job.sbatch$'
finish
