#!/bin/sh
# nonstop.sh [JOB]: to be run by a batch script between its steps. Handles failed and failing nodes as
# SMD_NONSTOP_FAILED and SMD_NONSTOP_FAILING say, prints what it does, and ends with another code than 0 when the
# script is to stop. The job has to be submitted with --no-kill. SMD names another smd.
set -u

smd=${SMD:-$(dirname -- "$(readlink -f -- "$0")")/../smd}

"$smd" "$@" --handle-failed || exit $?
if [ -n "${SMD_NONSTOP_FAILING:-}" ]; then
    "$smd" "$@" --handle-failing || exit $?
fi
