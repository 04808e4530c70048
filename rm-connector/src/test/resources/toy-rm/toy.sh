#!/bin/sh
# A resource manager in a directory, for tests: nodes/NAME and jobs/ID hold one ATTR=VALUE per line, commands/ID the
# answer to a command. Called with a verb and the arguments of the native interface; TOY_DIR names the directory.
#
# A command leaves its id on the job together with its effect, and a second call with the same id gets the first answer.
set -eu
cd "${TOY_DIR:?is not set}"
mkdir -p nodes jobs commands tmp

now=$(date +%s)

get() { sed -n "s/^$2=//p" "jobs/$1" | tail -n 1; }

# put JOB ATTR=VALUE...: all at once, or not at all
put() {
    job=$1
    shift
    cp "jobs/$job" tmp/job
    for pair; do
        { grep -v "^${pair%%=*}=" tmp/job || :; echo "$pair"; } >tmp/next
        mv tmp/next tmp/job
    done
    mv tmp/job "jobs/$job"
}

list() {
    for file in "$1"/*; do
        [ -f "$file" ] && printf '%s %s\n' "${file##*/}" "$(paste -s -d ';' "$file")"
    done
    return 0
}

refuse() {
    echo "SC=-1;MESSAGE=\"$*\""
    exit 0
}

# effect JOB ATTR=VALUE...: changes the job, remembers the command, answers
effect() {
    job=$1
    shift
    put "$job" "$@" "UPDATETIME=$now" "VARIABLE=command=${WEIR_COMMAND_ID:-none}"
    echo "$job" >>effects
    [ -z "${TOY_DIE:-}" ] || kill -KILL $$
    while [ -f slow ]; do sleep 0.1; done
    echo "SC=0;TIME=$now" >tmp/answer
    [ -z "$key" ] || mv tmp/answer "commands/$key"
    echo "SC=0;TIME=$now"
}

# known JOB STATE...: the job exists and is in one of these states
known() {
    job=$1
    shift
    [ -f "jobs/$job" ] || refuse "there is no job $job"
    state=$(get "$job" STATE)
    case " $* " in
        *" $state "*) ;;
        *) refuse "job $job is $state" ;;
    esac
}

# It is not there: nobody knows what becomes of what was asked for.
[ ! -f away ] || exit 75

verb=$1
shift
case $verb in
    cluster)
        list nodes
        # A second line about the nodes in use: later wins.
        for job in jobs/*; do
            grep -qx 'STATE=Running' "$job" || continue
            sed -n 's/^TASKLIST=//p' "$job" | tr , '\n' | sort -u | sed 's/$/ STATE=Running/'
        done
        exit 0
        ;;
    workload) list jobs; exit 0 ;;
    system) echo "toy TIME=$now;VERSION=1.0"; exit 0 ;;
esac

# One action at a time: a connector that died may have left one running.
exec 9>lock
flock 9

key=$(printf '%s' "${WEIR_COMMAND_ID:-}" | tr / _)
if [ -n "$key" ] && [ -f "commands/$key" ]; then
    cat "commands/$key"
    exit 0
fi
if [ -n "$key" ] && [ "$(get "$1" VARIABLE 2>/dev/null)" = "command=$WEIR_COMMAND_ID" ]; then
    echo "SC=0;TIME=$(get "$1" UPDATETIME)"
    exit 0
fi

case $verb in
    start)
        known "$1" Idle
        for node in $(echo "$2" | tr , ' '); do
            [ -f "nodes/$node" ] || refuse "there is no node $node"
        done
        effect "$1" STATE=Running "TASKLIST=$2" "STARTTIME=$now"
        ;;
    cancel)
        known "$1" Idle Hold Running Suspended
        effect "$1" STATE=Cancelled "COMPLETIONTIME=$now" "EVENT=\"cancelled: $2\""
        ;;
    requeue)
        known "$1" Running Suspended
        effect "$1" STATE=Idle TASKLIST= STARTTIME=
        ;;
    suspend) known "$1" Running; effect "$1" STATE=Suspended ;;
    resume) known "$1" Suspended; effect "$1" STATE=Running ;;
    modify)
        case $2 in
            hold=1) known "$1" Idle; effect "$1" STATE=Hold ;;
            hold=0) known "$1" Hold; effect "$1" STATE=Idle ;;
            signal=*) known "$1" Running; effect "$1" ;;
            walltime=*) known "$1" Idle Hold Running; effect "$1" "WCLIMIT=${2#*=}" ;;
            tasklist+=*) known "$1" Running; effect "$1" "TASKLIST=$(get "$1" TASKLIST),${2#*=}" ;;
            tasklist-=*)
                known "$1" Running
                left=$(get "$1" TASKLIST | tr , '\n' | grep -vxF "$(echo "${2#*=}" | tr , '\n')" | paste -s -d , -)
                [ -n "$left" ] || refuse "the job has not those nodes to spare"
                effect "$1" "TASKLIST=$left"
                ;;
            *) refuse "cannot change $2" ;;
        esac
        ;;
    nodemodify)
        [ -f "nodes/$1" ] || refuse "there is no node $1"
        case $3 in
            state=Draining) change=STATE=Drained ;;
            state=Idle) change=STATE=Idle ;;
            features=*) change=FEATURE=$(echo "${3#*=}" | tr , :) ;;
            *) refuse "cannot change $3" ;;
        esac
        { grep -v "^${change%%=*}=" "nodes/$1" || :; echo "$change"; } >tmp/node
        mv tmp/node "nodes/$1"
        echo "SC=0;TIME=$now"
        ;;
    *) echo "toy.sh: no such verb: $verb" >&2; exit 64 ;;
esac
