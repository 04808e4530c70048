#!/bin/sh
# JOBSUSPENDURL: suspend.sh JOB REASON
set -eu
. "${0%/*}/lib.sh"

job_details "$1"
look "$1"
case $(state_of "$line") in
    running) as_told qmod -sj "$1" ;;
    suspended) [ "$(last_command)" = "${WEIR_COMMAND_ID:-}" ] || refuse "job $1 is suspended already" ;;
    *) refuse "job $1 does not run" ;;
esac
await "$1" suspended || again "job $1 was told to stop, but is not shown as suspended"
qalter -ac "weir_command=${WEIR_COMMAND_ID:-none}" "$1" >/dev/null || :
done_at "$(date +%s)"
