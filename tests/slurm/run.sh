#!/usr/bin/env bash
# Runs most of the small study through SLURM, kills a node on the way, and compares all results with those
# of a local run (`make smoke`), byte by byte.
#   tests/slurm/run.sh LOCAL OUT     the folder of the local run, and a new one
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=tests/slurm/cluster.sh
. tests/slurm/cluster.sh
export PATH=$PWD/.venv/bin:$PATH

# Not compared: the seconds of generations and jobs, the studies of scaling and of best known strategies, and
# the pages that show them.
TIMINGS=('.jobs*' '*.speed.parquet' 'resources*' 'scaling*' 'best-known' index.html 'report.*' facts.csv)
# All phases with jobs for a cluster, and a tree of each kind.
TARGETS=(optimise guided players terminals scaling results/exact/checked.csv
    results/trees/mm-4-6/{entropy,stage-weighted,stage-weighted-found}.parquet
    results/certificates/mm-5-5/entropy-endgames-20_from-11223.json)
# A node is killed once one of its jobs has run this long.
KILLED_AFTER_S=2
DONE_BEFORE_S=600

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
    [ -z "$study" ] || kill -9 "$study" 2>/dev/null || true
    stop_cluster "$cluster"
    rm -rf "$cluster"
}
trap finish EXIT
start_cluster "$cluster"
echo "cluster: $(sinfo -h -N -p all -o '%N with %c CPUs, GPUs: %G' | paste -sd ';')"

rm -rf "$out"
mkdir -p "$out"
log=$out/snakemake.log
SECONDS=0
snakemake --workflow-profile profiles/slurm --directory "$out" \
    --configfile config/smoke.yaml \
    --slurm-partition-config "$PWD/tests/slurm/partitions.yaml" \
    --set-resources optimise_weights:gpu=1 \
    --latency-wait 5 --slurm-no-account --slurm-status-command squeue \
    --slurm-init-seconds-before-status-checks 1 --seconds-between-status-checks 1 \
    -- "${TARGETS[@]}" >"$log" 2>&1 &
study=$!

# jobs STATES: what SLURM knows of its jobs, a line each: id, partition, node, state, seconds, rule.
jobs() {
    squeue -h -t "$1" -O 'JobID:8,Partition:8,NodeList:30,State:12,TimeUsed:12,Comment:200' |
        awk '{ n = split($5, t, ":"); $5 = 60 * t[n - 1] + t[n]; print }'
}

# Kill a node in the middle.
until jobs R | awk -v node="$PLAIN" -v s="$KILLED_AFTER_S" \
    '$3 == node && $5 >= s { found = 1 } END { exit !found }'; do
    kill -0 "$study" 2>/dev/null || { tail -n 20 "$log"; fail "no job ran on $PLAIN: see $log"; }
    sleep 1
done
running=$(jobs R | awk -v node="$PLAIN" '$3 == node { print $1 }' | paste -sd ' ')
kill_node "$PLAIN"
echo "at $SECONDS s: $PLAIN killed while it ran jobs $running"

while kill -0 "$study" 2>/dev/null; do
    [ "$SECONDS" -lt "$DONE_BEFORE_S" ] || fail "not done after $SECONDS s: see $log"
    sleep 1
done
wait "$study" || { tail -n 40 "$log"; fail "the run through SLURM failed: see $log"; }
study=
echo "the run through SLURM took $SECONDS s"
jobs all >"$out/jobs.txt"
echo "SLURM jobs: $(awk '{ print $4 }' "$out/jobs.txt" | sort | uniq -c | paste -sd ';' | tr -s ' ')"

# Jobs were lost with the node, and the same rules were done by other jobs on the other node.
lost=0
while read -r job _ node _ _ rule; do
    again=$(awk -v rule="$rule" -v node="$node" \
        '$6 == rule && $4 == "COMPLETED" && $3 != node { print $1 }' "$out/jobs.txt")
    [ -n "$again" ] || fail "job $job ($rule) was lost and not done again"
    echo "job $job was lost with $node, and done again as job $again: ${rule:0:60}"
    lost=$((lost + 1))
done < <(grep NODE_FAIL "$out/jobs.txt")
tries=$(grep -c 'Trying to restart job' "$log" || true)
echo "lost: $lost; tried again by snakemake: $tries"
[ "$lost" -gt 0 ] || fail "no job was lost with the node"
[ "$tries" -ge "$lost" ] || fail "snakemake tried fewer jobs again than were lost: see $log"

# Jobs that ask for a GPU ran where there is one.
awk '$6 ~ /^rule_optimise/ && ($2 != "gpu" || $3 != "'"$GPU"'") { exit 1 }' "$out/jobs.txt" ||
    fail "a search ran outside the partition gpu: see $out/jobs.txt"

differences=$(diff -rq "${TIMINGS[@]/#/--exclude=}" "$local_run/results" "$out/results" |
    grep -v "^Only in $local_run/results" || true)
[ -z "$differences" ] || { echo "$differences"; fail "results differ from those of the local run"; }
all=$(find "$out/results" -type f | wc -l)
paths=()
for name in "${TIMINGS[@]}"; do paths+=(-o -path "*/$name"); done
left=$(find "$out/results" -type f \( -false "${paths[@]}" \) | wc -l)
echo "all $((all - left)) files of results are byte for byte those of the local run"
echo "not compared: $left files ${TIMINGS[*]}"
