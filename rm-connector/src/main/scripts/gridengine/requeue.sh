#!/bin/sh
# JOBREQUEUEURL: requeue.sh JOB REASON. Held first: Grid Engine would start it again where it likes.
set -eu
. "${0%/*}/lib.sh"

job_details "$1"
if [ "$(last_command)" != "${WEIR_COMMAND_ID:-}" ]; then
    look "$1"
    case $(state_of "$line") in
        running | suspended) ;;
        *) refuse "job $1 does not run" ;;
    esac
    as_told qhold -h u "$1"
    as_told qalter -ac "weir_command=${WEIR_COMMAND_ID:-none}" "$1"
fi
look "$1"
if [ "$(state_of "$line")" != waiting ]; then
    as_told qmod -rj "$1"
    await "$1" waiting none || again "job $1 was told to go back to the queue, but still runs"
fi
done_at "$(date +%s)"
