# Batch scripts as jobs/submit writes them, with stand-ins for the schedulers; a chain of links that are too short, run here.
source "$2/tests/support/program.bash"
submit="$2/jobs/submit"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
try() { bash "$submit" "$@" >out 2>err; code=$?; }

# Slurm and PBS, looked at only.
try "$cases/rain-box.toml" --ranks 64 --time 02:00:00 --scheduler slurm --dry-run --program "$granary" --out slurm-run \
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
try "$cases/rain-box.toml" --ranks 48 --ranks-a-node 16 --time 00:30:00 --scheduler pbs --dry-run --program "$granary" --out pbs-run
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
refused 'leaves nothing' "$cases/rain-box.toml" --ranks 4 --time 00:01:00 --scheduler slurm --program "$granary"
refused '--scheduler sge: expected one of' "$cases/rain-box.toml" --ranks 4 --time 01:00:00 --scheduler sge
refused 'no such case' nowhere.toml --ranks 4 --time 01:00:00 --scheduler slurm --program "$granary"
refused 'unknown option' "$cases/rain-box.toml" --rank 4
refused 'unknown key run.stepz' "$cases/rain-box.toml" --ranks 4 --time 01:00:00 --scheduler slurm --program "$granary" -- --set run.stepz=1
check "nothing made for a wrong case" test ! -e rain-box

# A stand-in for sbatch runs the script at once, as a job; so the links follow one another, each with a second of time.
mkdir bin
cat >bin/sbatch <<'SH'
#!/bin/bash
for word; do script="$word"; done
n=$(($(cat jobs.count 2>/dev/null || echo 0) + 1)); echo $n >jobs.count
echo "$n $*" >>sbatch.calls
(SLURM_JOB_ID=$n SLURM_NTASKS=2 bash "$script" >>jobs.log 2>&1 </dev/null &)
echo $n
SH
chmod +x bin/sbatch
alone run "$cases/rain-box.toml" --out straight --quiet --set run.time=2
straight="$(digest)"
PATH="$PWD/bin:$PATH" try "$cases/rain-box.toml" --ranks 2 --time 00:00:03 --margin 2 --bind none --program "$granary" --out chain \
    --launcher --oversubscribe --scheduler slurm -- --set run.time=2
expect_equal code "$code" 0
for ((k = 0; k < 600; k++)); do
    grep -q '"status": "finished"' chain/status.json 2>/dev/null && grep -q 'chain: done' jobs.log && break
    grep -qE 'given up|went wrong' jobs.log 2>/dev/null && break
    sleep 0.2
done
expect_text chain/status.json '"status": "finished"'
expect_equal "digest of the chain" "$(sed -n 's/^digest //p' chain/log.txt | tail -n 1)" "$straight"
check "more than one job" test "$(cat jobs.count)" -gt 1
expect_text sbatch.calls '^2 --parsable --dependency=afterany:1 .*/chain/job.sbatch$'
finish
