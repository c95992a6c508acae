#!/usr/bin/env bash
# Runs the small study through SLURM, kills a node on the way, and compares all results with those
# of a local run (`make smoke`), byte by byte.
#   tests/slurm/run.sh LOCAL OUT     the folder of the local run, and a new one
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=tests/slurm/cluster.sh
. tests/slurm/cluster.sh
export PATH=$PWD/.venv/bin:$PATH

# Not compared: the seconds that each generation of a search took.
TIMINGS='*.speed.parquet'
# The job during which a node is killed, and how long it has then run.
VICTIM=rule_guide_weights_mm_4_6
AFTER_S=5

fail() {
    echo "error: $1"
    exit 1
}

local_run=${1:?usage: tests/slurm/run.sh LOCAL OUT}
out=${2:?usage: tests/slurm/run.sh LOCAL OUT}
[ -d "$local_run/results" ] || fail "no results of a local run in $local_run: make smoke"
for program in munged slurmctld slurmd sbatch ps; do
    command -v "$program" >/dev/null || fail "there is no $program: install slurm-wlm, munge and procps"
done

cluster=$(mktemp -d)
study=
finish() {
    [ -z "$study" ] || kill "$study" 2>/dev/null || true
    stop_cluster "$cluster"
    rm -rf "$cluster"
}
trap finish EXIT
start_cluster "$cluster"
echo "cluster: $(sinfo -h -N -p all -o '%N with %c CPUs, GPUs: %G' | paste -sd ';')"

rm -rf "$out"
mkdir -p "$out"
log=$out/snakemake.log
searches=()
for model in fixed stage tsallis_orders tsallis_stage renyi_stage; do
    searches+=("optimise_mm_4_6_${model}_0:gpu=1")
done
SECONDS=0
snakemake --workflow-profile profiles/slurm --directory "$out" \
    --configfile config/config.yaml config/smoke.yaml \
    --slurm-partition-config "$PWD/tests/slurm/partitions.yaml" \
    --set-resources "${searches[@]}" \
    --latency-wait 5 --slurm-no-account --slurm-status-command squeue \
    --slurm-init-seconds-before-status-checks 1 --seconds-between-status-checks 1 \
    >"$log" 2>&1 &
study=$!

# Kill the node on which the victim runs, in the middle.
lost=
while [ -z "$lost" ]; do
    kill -0 "$study" 2>/dev/null || fail "the run ended before $VICTIM ran: see $log"
    sleep 1
    lost=$(squeue -h -t R -O 'JobID:12,TimeUsed:12,NodeList:30,Comment:80' 2>/dev/null |
        awk -v job="$VICTIM" -v s="$AFTER_S" \
            '$4 == job { split($2, t, ":"); if (60 * t[1] + t[2] >= s) print $1, $3 }')
done
read -r job node <<<"$lost"
echo "at $SECONDS s: $node killed while it ran jobs $(squeue -h -t R -w "$node" -o %i | paste -sd ' ')"
kill_node "$node"

wait "$study" || { tail -n 40 "$log"; fail "the run through SLURM failed: see $log"; }
study=
echo "the run through SLURM took $SECONDS s"
squeue -h -t all -O 'JobID:8,Partition:8,NodeList:30,State:12,Comment:60' >"$out/jobs.txt"
echo "SLURM jobs: $(awk '{ print $4 }' "$out/jobs.txt" | sort | uniq -c | paste -sd ';' | tr -s ' ')"

# The job was lost, and the same rule was done by another job on another node.
grep -q "SLURM-job '$job' failed due to a node failure" "$log" || fail "job $job was not lost"
again=$(awk -v job="$VICTIM" -v node="$node" \
    '$5 == job && $4 == "COMPLETED" && $3 != node { print $1 }' "$out/jobs.txt")
[ -n "$again" ] || fail "$VICTIM was not done again on another node"
echo "job $job ($VICTIM) was lost with its node, and done again as job $again"
grep 'Trying to restart job' "$log" | sort | uniq -c

# Jobs that ask for a GPU ran where there is one.
awk '$5 ~ /^rule_optimise/ && ($2 != "gpu" || $3 != "'"$GPU"'") { exit 1 }' "$out/jobs.txt" ||
    fail "a search ran outside the partition gpu: see $out/jobs.txt"

differences=$(diff -rq --exclude="$TIMINGS" "$local_run/results" "$out/results" || true)
[ -z "$differences" ] || { echo "$differences"; fail "results differ from those of the local run"; }
files=$(find "$out/results" -type f ! -name "$TIMINGS" | wc -l)
echo "all $files files of results are byte for byte those of the local run"
echo "not compared: $(find "$out/results" -type f -name "$TIMINGS" | wc -l) files $TIMINGS"
