#!/usr/bin/env bash
# Sees to it that SLURM is there, by apt-get where need be; else says why not, and exits with 77.
set -euo pipefail

skip() {
    echo "SKIPPED: the test on SLURM: $1"
    exit 77
}

missing() {
    for program in munged slurmctld slurmd sbatch ps; do
        command -v "$program" >/dev/null || return 0
    done
    return 1
}

install() {
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        slurm-wlm munge procps >/dev/null 2>&1
}

missing || exit 0
command -v apt-get >/dev/null || skip "SLURM is not installed, and there is no apt-get to install it"
[ "$(id -u)" = 0 ] || skip "SLURM is not installed, and only root could install it"
install || { apt-get update -qq >/dev/null 2>&1 && install; } ||
    skip "apt-get cannot install slurm-wlm, munge and procps"
! missing || skip "the packages slurm-wlm, munge and procps lack a program"
