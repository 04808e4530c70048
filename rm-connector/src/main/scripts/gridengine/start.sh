#!/bin/sh
# JOBSTARTURL: start.sh JOB NODE,NODE,... USER
#
# One qalter lifts the holds, names the hosts and the parallel environment that puts the right number of slots on each, and
# leaves the command on the job. Then Grid Engine has GE_START_WAIT seconds. A job that runs is held again at once: it
# goes on running, and if Grid Engine ever puts it back into the queue, it waits for Weir there. The user of a job can write
# in its context, too, so a job that waits gets all of this, and one that runs is looked at, whatever the context says.
set -eu
. "${0%/*}/lib.sh"

job=$1
wanted=$(printf '%s' "$2" | tr ',' '\n' | sort | uniq -c | awk '{ print $2, $1 }')

# ended: the job that ran is there no longer
ended() {
    look "$job"
    [ "$(state_of "$line")" = none ]
}

# hold_again: what a job that runs needs; one that has ended since it was looked for needs nothing more
hold_again() {
    qhold -h s "$job" >/dev/null 2>&1 || ended || again "job $job runs, and cannot be held"
}

# began LINE: the job runs; answers, if it runs where it should
began() {
    found=$(printf '%s\n' "$1" | cut -d ' ' -f 8- | tr ' ' '\n' | paste -d ' ' - - | sort)
    hold_again
    if [ "$found" != "$wanted" ]; then
        qmod -rj "$job" >/dev/null 2>&1 || ended || again "job $job runs on $(echo $found), and cannot be sent back"
        refuse "job $job was put on $(echo $found) instead of $(echo $wanted) and sent back"
    fi
    done_at "$(printf '%s' "$1" | cut -d ' ' -f 3)"
}

# ended_already: a job can be over before it was looked for
ended_already() {
    tail -n 200 "$accounting" | awk -F : -v job="$job" '$6 == job && $11 > 0 { start = $10 } END { print start }'
}

job_details "$job"
look "$job"
state=$(state_of "$line")
if [ "$state" != waiting ]; then
    [ -n "${WEIR_COMMAND_ID:-}" ] && [ "$(last_command)" = "$WEIR_COMMAND_ID" ] ||
        refuse "job $job does not wait, it is $state"
else
    slots=$(printf '%s\n' "$wanted" | awk '{ print $2 }' | sort -u)
    case $slots in
        *[!0-9]*) refuse "job $job: the same number of slots on each node is all Grid Engine can do, not" $wanted ;;
    esac
    total=$(printf '%s\n' "$wanted" | awk '{ sum += $2 } END { print sum }')
    asked=$(printf '%s' "$line" | cut -d ' ' -f 4)
    [ "$total" = "$asked" ] || refuse "job $job asks for $asked slots, not $total"
    for node in $(printf '%s\n' "$wanted" | cut -d ' ' -f 1); do
        qselect -q "$GE_QUEUE@$node" >/dev/null 2>&1 || refuse "$node has no instance of queue $GE_QUEUE"
    done
    hosts=$(printf '%s\n' "$wanted" | cut -d ' ' -f 1 | paste -s -d '|' -)
    resources=$(detail 'hard resource_list' | tr ',' '\n' | grep -v -e '^h=' -e '^hostname=' |
        { [ -z "${WEIR_WALLTIME:-}" ] && cat || grep -v '^h_rt='; } | paste -s -d ',' - || :)
    resources=${resources:+$resources,}h=$hosts${WEIR_WALLTIME:+,h_rt=$WEIR_WALLTIME}
    set -- -h US -l "$resources"
    if [ "$total" -gt 1 ] || [ -n "$(detail 'parallel environment')" ]; then
        set -- "$@" -pe "$GE_PE_PREFIX$slots" "$total"
    fi
    as_told qalter "$@" -ac "weir_command=${WEIR_COMMAND_ID:-none}" "$job"
fi

if await "$job" running suspended none; then
    [ -n "$line" ] && began "$line"
    start=$(ended_already)
    [ -n "$start" ] && done_at "$start"
    refuse "job $job was deleted before it started"
fi

# It did not start: held again, it cannot start later unasked. It may have started just before.
qhold -h s "$job" >/dev/null || again "job $job did not start, and cannot be held"
look "$job"
case $(state_of "$line") in
    running | suspended) began "$line" ;;
esac
job_details "$job"
refuse "job $job did not start within $GE_START_WAIT s:" \
    "$(printf '%s\n' "$details" | sed -n '/^scheduling info:/,$p' | head -n 3 | tr -s ' \n' ' ')"
