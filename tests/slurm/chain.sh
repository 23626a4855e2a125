#!/usr/bin/env bash
# A real Slurm of one node: a case whose job is too short for it is submitted through jobs/submit, and the chain of jobs ends with the digest of
# an uninterrupted run. Run by jobs/test --slurm, as root; installs slurm-wlm and munge. Touches no Slurm that is there already.
#   tests/slurm/chain.sh PROGRAM [requeue]
set -euo pipefail
top="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
program="$(realpath "$1")"
chain="${2:-dependency}"
say() { printf '%s %s\n' "$(date +%T)" "$*"; }
fail() { say "FAILED: $*"; exit 1; }
[[ $(id -u) -eq 0 ]] || fail "a Slurm of one's own needs root"
if ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null; then
    say "installing slurm-wlm and munge"
    apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends slurm-wlm munge >/dev/null
fi

work="$(mktemp -d)"
export SLURM_CONF="$work/slurm.conf"
host="$(hostname -s)"
mkdir -p "$work/state" "$work/spool"
cat >"$SLURM_CONF" <<CONF
ClusterName=granary
SlurmctldHost=$host
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
JobRequeue=1
KillWait=20
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=5
NodeName=$host CPUs=$(nproc) State=UNKNOWN
PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
started_munge=no
stop_all() {
    scancel --full --user=root 2>/dev/null || true
    for daemon in slurmd slurmctld; do [[ ! -r "$work/$daemon.pid" ]] || kill "$(<"$work/$daemon.pid")" 2>/dev/null || true; done
    [[ $started_munge == no ]] || pkill -x munged || true
}
trap stop_all EXIT
if ! munge -n </dev/null >/dev/null 2>&1; then
    install -d -o munge -g munge -m 755 /run/munge
    runuser -u munge -- /usr/sbin/munged && started_munge=yes
fi
slurmctld
slurmd
for ((k = 0; k < 30; k++)); do
    [[ "$(sinfo -h -o %T 2>/dev/null)" != idle ]] || break
    sleep 1
done
[[ "$(sinfo -h -o %T)" == idle ]] || fail "the node is not ready: $(sinfo; tail -n 5 "$work"/*.log)"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_hwloc_base_binding_policy=none
case_file="$top/jobs/cases/silo-demo.toml"
sets=(--set output.frames_every=0.2)
say "the run without a stop"
start=$SECONDS
mpirun -n 2 "$program" run "$case_file" "${sets[@]}" --out "$work/straight" --quiet >"$work/digest"
say "took $((SECONDS - start)) s: $(<"$work/digest")"

# The signal comes up to a minute early, so a link runs for anything from no time to 50 s.
"$top/jobs/submit" "$case_file" --ranks 2 --time 00:02:00 --margin 70 --out "$work/chain" --program "$program" --bind none \
    --chain "$chain" --scheduler slurm -- "${sets[@]}"
for ((k = 0; k < 1500; k += 5)); do
    [[ -z "$(squeue -h)" ]] && break
    sleep 5
done
cat "$work"/chain/job-*.log | grep ' chain: ' || true
cat "$work/chain/chain.tsv"
[[ -z "$(squeue -h)" ]] || fail "jobs are still there after $k s: $(squeue)"
grep -q '"status": "finished"' "$work/chain/status.json" || fail "not finished: $(<"$work/chain/status.json")"
links="$(grep -c . "$work/chain/chain.tsv")"
[[ $links -ge 2 ]] || fail "one job was enough: nothing was shown"
[[ "$(grep '^digest' "$work/chain/log.txt" | tail -n 1)" == "$(grep '^digest' "$work/digest")" ]] || fail "another digest: $(grep '^digest' "$work/chain/log.txt")"
cmp "$work/straight/state.h5" "$work/chain/state.h5" || fail "another state"
rows() { cut -d, -f1-8 "$1/series.csv"; }
cmp <(rows "$work/straight") <(rows "$work/chain") || fail "another time series"
say "passed: $links jobs, the same digest, state and time series"
rm -rf "$work"
