#!/bin/sh
# The cell's job submission verifier (jsv_url of the global configuration, which setup.sh sets). It makes every job wait for
# Weir, whatever the options of qsub: the qmaster adds the job with a user hold, and as soon as it is there it gets a system
# hold, which its user cannot lift. In between, an earliest start a few seconds away, which jsv_allowed_mod protects, keeps it
# from starting. Runs as the cell's admin user, a manager, until the qmaster tells it to quit.
set -u
zone=${TZ-}
. "${0%/*}/lib.sh"
# Times here are those of the qmaster.
[ -n "$zone" ] && TZ=$zone || unset TZ

# GE_ARRIVAL  seconds before which no job starts after its submission
: "${GE_ARRIVAL:=4}"

# hold JOB: a job that is not there yet will be in a moment, or was rejected
hold() {
    for pause in 0.05 0.1 0.2 0.5 1 2 5 10; do
        sleep "$pause"
        qhold -h s "$1" >/dev/null 2>&1 && return
    done
}

# Texts of the user stand between START and BEGIN, with line breaks: what counts is the first line of a kind.
asked=no
while read -r verb word value; do
    case $verb in
        START)
            [ "$asked" = no ] || continue
            asked=yes
            job=
            begin=$(date -d "+$GE_ARRIVAL seconds" +%Y%m%d%H%M.%S)
            echo STARTED
            ;;
        PARAM)
            case $asked$word in
                yesJOB_ID) : "${job:=$value}" ;;
                # The later of both, if this one is a time.
                yesa) begin=$(printf '%s\n' "$begin" "$value" | grep -x '[0-9]\{12\}\.[0-9][0-9]' | sort | tail -n 1) ;;
            esac
            ;;
        BEGIN)
            [ "$asked" = yes ] || continue
            asked=no
            echo PARAM h u
            echo "PARAM a $begin"
            echo RESULT STATE CORRECT
            case $job in
                '' | *[!0-9]*) ;;
                *) (hold "$job" &) </dev/null >/dev/null 2>&1 ;;
            esac
            ;;
        QUIT) [ "$asked" = yes ] || exit 0 ;;
    esac
done
