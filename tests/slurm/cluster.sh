#!/usr/bin/env bash
# A SLURM cluster of two nodes on this host, in a folder of its own: sourced by run.sh.
# Nothing outside the folder is read or written, and a SLURM of the host's own is left alone.

PLAIN=codebreaker-plain-$$ # takes jobs of the partition `all`
GPU=codebreaker-gpu-$$     # takes these too, and alone those of the partition `gpu`

# start_cluster FOLDER: starts it and leaves the environment for its commands.
start_cluster() {
    local dir=$1 port=$((20000 + $$ % 10000)) host user
    host=$(hostname -s)
    user=$(id -un)
    mkdir -p "$dir"/{bin,state,spool}
    chmod 755 "$dir"
    (umask 077 && head -c 128 /dev/urandom >"$dir/munge.key")
    cat >"$dir/gres.conf" <<EOF
NodeName=$GPU Name=gpu File=/dev/null
EOF
    cat >"$dir/slurm.conf" <<EOF
ClusterName=codebreaker
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$dir/munge.sock
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/%n.log
SlurmdParameters=config_overrides
SlurmdTimeout=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobRequeue=0
MinJobAge=86400
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
GresTypes=gpu
NodeName=DEFAULT CPUs=8 RealMemory=64000
NodeName=$PLAIN NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) Weight=1
NodeName=$GPU NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) Weight=2 Gres=gpu:1
PartitionName=all Nodes=$PLAIN,$GPU Default=YES
PartitionName=gpu Nodes=$GPU
EOF
    export SLURM_CONF=$dir/slurm.conf
    # The plugin takes SLURM_CONF out of the environment in which a job calls srun.
    cat >"$dir/bin/srun" <<EOF
#!/bin/sh
SLURM_CONF=$SLURM_CONF exec $(command -v srun) "\$@"
EOF
    chmod +x "$dir/bin/srun"
    export PATH=$dir/bin:$PATH
    munged --key-file="$dir/munge.key" --socket="$dir/munge.sock" --pid-file="$dir/munged.pid" \
        --log-file="$dir/munged.log" --seed-file="$dir/munged.seed"
    slurmctld
    start_node "$PLAIN"
    start_node "$GPU"
    for _ in $(seq 40); do
        [ "$(sinfo -h -p all -o '%T %D')" = "idle 2" ] && return
        sleep 0.25
    done
    echo "error: the nodes of the cluster do not come up:"
    sinfo -N
    return 1
}

# start_node NAME: its processes carry the name in their environment. SLURM sees to it for jobs.
start_node() {
    SLURMD_NODENAME=$1 slurmd -N "$1"
}

# kill_node NAME: kills it hard, the daemon and all that runs there, as when the power goes.
# The environment of a step's daemon cannot be read: it is found by the session of its job. A process may end
# between the listing and the kill.
kill_node() {
    local pids sessions
    pids=$({ grep -lzx "SLURMD_NODENAME=$1" /proc/[0-9]*/environ 2>/dev/null || true; } | cut -d / -f 3)
    [ -n "$pids" ] || return 0
    sessions=$(ps -o sid= -p "$(paste -sd , <<<"$pids")" | sort -u | paste -sd , | tr -d ' ')
    ps -o pid= -s "$sessions" | xargs kill -9 2>/dev/null || true
}

# stop_cluster FOLDER: kills all of it, and waits until nothing writes there any more.
stop_cluster() {
    local name pid
    kill_node "$PLAIN"
    kill_node "$GPU"
    for name in slurmctld munged; do
        pid=$(cat "$1/$name.pid" 2>/dev/null) || continue
        kill "$pid" 2>/dev/null || continue
        for _ in $(seq 50); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
    done
}
