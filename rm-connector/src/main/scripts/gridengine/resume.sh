#!/bin/sh
# JOBRESUMEURL: resume.sh JOB REASON
set -eu
. "${0%/*}/lib.sh"

job_details "$1"
look "$1"
case $(state_of "$line") in
    suspended) as_told qmod -usj "$1" ;;
    running) [ "$(last_command)" = "${WEIR_COMMAND_ID:-}" ] || refuse "job $1 is not suspended" ;;
    *) refuse "job $1 does not run" ;;
esac
await "$1" running || again "job $1 was told to go on, but is shown as suspended"
qalter -ac "weir_command=${WEIR_COMMAND_ID:-none}" "$1" >/dev/null || :
done_at "$(date +%s)"
