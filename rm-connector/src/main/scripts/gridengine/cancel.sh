#!/bin/sh
# JOBCANCELURL: cancel.sh JOB ADMIN|WALLCLOCK|FAILURE
#
# A job may take longer to end than one call waits. Told again, it may be ending still, or was killed meanwhile.
set -eu
. "${0%/*}/lib.sh"

job=$1

# killed_at: when the job was killed, by the accounting; nothing if it was not
killed_at() {
    tail -n 200 "$accounting" | awk -F : -v job="$job" \
        '$6 == job && $11 > 0 { end = $12 == 100 && $13 == 137 ? $11 : "" } END { print end }'
}

# A master that is away knows nothing of the job either, which says nothing.
if [ -r "$accounting" ] && ! said=$(qstat -j "$job" 2>&1); then
    case $said in
        *'do not exist'*)
            end=$(killed_at)
            [ -z "$end" ] || done_at "$end"
            ;;
    esac
fi
job_details "$job"
said=$(qdel "$job" 2>&1) || case $said in
    *'already in deletion'*) ;;
    *) as_told qdel "$job" ;;
esac
await "$job" none || again "job $job is registered for deletion, but still there"
done_at "$(date +%s)"
