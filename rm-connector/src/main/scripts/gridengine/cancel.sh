#!/bin/sh
# JOBCANCELURL: cancel.sh JOB ADMIN|WALLCLOCK|FAILURE
set -eu
. "${0%/*}/lib.sh"

job_details "$1"
as_told qdel "$1"
await "$1" none || again "job $1 is registered for deletion, but still there"
done_at "$(date +%s)"
