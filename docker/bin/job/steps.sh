#!/bin/sh
# steps.sh COMMAND [ARGUMENT...]: a batch script that runs a command as one step after the other and survives the failure
# of nodes in between; for example
#
#   export SMD_NONSTOP_FAILED=REPLACE:TIME_LIMIT_DELAY=4:DROP:TIME_LIMIT_DROP=10
#   sbatch --no-kill -N2 -t60 --wrap "$PWD/steps.sh srun ./model"
#
# (Slurm runs a copy of a script that it is given itself, and the copy does not find nonstop.sh; hence --wrap, or NONSTOP.)
#
#   STEPS        how many steps (default: 3)
#   SMD_ENV_DIR  where the environment file of the job is (default: /tmp)
#   NONSTOP      another nonstop.sh
set -u

nonstop=${NONSTOP:-$(dirname -- "$(readlink -f -- "$0")")/nonstop.sh}
job=${SLURM_JOB_ID:-${SLURM_JOBID:-${JOB_ID:-}}}
changed=${SMD_ENV_DIR:-/tmp}/smd_job_${job}_nodes.sh

step=1
while [ "$step" -le "${STEPS:-3}" ]; do
    # The name is known to everybody who may write there: what is not one's own is not run.
    if [ -f "$changed" ] && [ -O "$changed" ] && [ ! -L "$changed" ]; then
        . "$changed"
    elif [ -e "$changed" ] || [ -L "$changed" ]; then
        echo "steps: $changed is not this user's own file; it is left alone" >&2
    fi
    echo "steps: step $step on ${SLURM_NODELIST:-this node}"
    # A step may fail with its node; what then happens is for the directives to say.
    "$@" || echo "steps: step $step ended with $?"
    "$nonstop" || exit $?
    step=$((step + 1))
done
