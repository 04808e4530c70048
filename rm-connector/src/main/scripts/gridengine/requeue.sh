#!/bin/sh
# JOBREQUEUEURL: requeue.sh JOB REASON. Held first: Grid Engine would start it again where it likes.
set -eu
. "${0%/*}/lib.sh"

job_details "$1"
look "$1"
case $(state_of "$line") in
    running | suspended)
        as_told qhold -h s "$1"
        as_told qalter -ac "weir_command=${WEIR_COMMAND_ID:-none}" "$1"
        as_told qmod -rj "$1"
        await "$1" waiting none || again "job $1 was told to go back to the queue, but still runs"
        ;;
    *) [ "$(last_command)" = "${WEIR_COMMAND_ID:-}" ] || refuse "job $1 does not run" ;;
esac
done_at "$(date +%s)"
