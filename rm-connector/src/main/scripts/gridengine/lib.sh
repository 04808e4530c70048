# What the Grid Engine scripts share; read by them with `.`, not run. POSIX sh and awk.
#
# GE_QUEUE       cluster queue whose instances are the nodes                 (all.q)
# GE_START_WAIT  seconds a job may take from the order to start to running   (10)
# GE_RECENT      seconds for which jobs that ended are listed                (600)
# GE_PE_PREFIX   parallel environments PREFIX1, PREFIX2 ... with that many slots on each node (weir)
# GE_LOAD        whether nodes are listed with their load, which changes them at every look (yes)

# Grid Engine prints local times without a zone: let local be UTC.
TZ=UTC0
LC_ALL=C
export TZ LC_ALL

: "${GE_QUEUE:=all.q}" "${GE_START_WAIT:=10}" "${GE_RECENT:=600}" "${GE_PE_PREFIX:=weir}" "${GE_LOAD:=yes}"

# Debian's qstat is a script that finds out the architecture of the machine anew at each call, with a compiler, before it
# runs the real one. That takes ten times as long as what is asked for. The real one needs these two variables.
case $(readlink -f "$(command -v qstat || echo none)") in
    */gridengine-wrapper)
        site=/etc/default/gridengine
        [ -n "${SGE_ROOT:-}" ] || [ ! -r $site ] || SGE_ROOT=$(sed -n 's/^SGE_ROOT=//p' $site | tail -n 1)
        [ -n "${SGE_CELL:-}" ] || [ ! -r $site ] || SGE_CELL=$(sed -n 's/^SGE_CELL=//p' $site | tail -n 1)
        : "${SGE_ROOT:=/var/lib/gridengine}" "${SGE_CELL:=default}"
        PATH=/usr/lib/gridengine:$PATH
        export PATH SGE_ROOT SGE_CELL
        ;;
esac
accounting=${GE_ACCOUNTING:-${SGE_ROOT:-/var/lib/gridengine}/${SGE_CELL:-default}/common/accounting}

# refuse TEXT...: the command is not carried out
refuse() {
    printf 'SC=-1;MESSAGE="%s"\n' "$(printf '%s' "$*" | tr '"\\\n\t' "'/  ")"
    exit 0
}

# done_at [EPOCH]: the command is carried out
done_at() {
    echo "SC=0${1:+;TIME=$1}"
    exit 0
}

# again TEXT...: nobody knows, the caller has to ask once more (EX_TEMPFAIL)
again() {
    echo "$*" >&2
    exit 75
}

# job_details ID: what qstat -j says, in $details; refuses if there is no such job
job_details() {
    case $1 in
        '' | *[!0-9]*) refuse "'$1' is not a Grid Engine job id" ;;
    esac
    if ! details=$(qstat -j "$1" 2>&1); then
        case $details in
            *'do not exist'*) refuse "job $1 does not exist or has ended" ;;
            *) again "qstat -j $1: $details" ;;
        esac
    fi
    # Further on stands what the user of the job wrote.
    case $details in
        'Following jobs do not exist'*) refuse "job $1 does not exist or has ended" ;;
    esac
}

# detail NAME: one line of $details
detail() {
    printf '%s\n' "$details" | sed -n "s/^$1: *//p" | head -n 1
}

# last_command: the command that was carried out on the job of $details last
last_command() {
    detail context | tr ',' '\n' | sed -n 's/^weir_command=//p'
}

# job_lines [ID]: what qstat knows, of all jobs or of one, a line each: "id state time slots owner name tasks
# [node slots-there ...]". The time is when it started or, of a job that waits, when it was submitted, in epoch seconds;
# tasks is "-" but for an array job. The owner is as in XML, with blanks as "&#32;".
job_lines() {
    qstat -u '*' -g t -xml >"$work/qstat" || again "qstat failed"
    awk -v only="${1:-}" '
        function epoch(text,    p, y, m, days) {
            split(text, p, /[-T:.]/)
            y = p[1]; m = p[2]
            if (m <= 2) { y--; m += 12 }
            days = 365 * y + int(y / 4) - int(y / 100) + int(y / 400) + int((153 * (m - 3) + 2) / 5) + p[3] - 719469
            return days * 86400 + p[4] * 3600 + p[5] * 60 + p[6]
        }
        function text(    t) { t = $0; sub(/^[^>]*>/, "", t); sub(/<.*/, "", t); return t }
        function word(t) { gsub(/[^A-Za-z0-9._-]/, "_", t); return t == "" ? "-" : t }
        /<job_list/           { id = state = time = slots = owner = queue = role = ""; name = tasks = "-" }
        /<JB_job_number>/     { id = text() }
        /<JB_name>/           { name = word(text()) }
        /<state>/             { state = text() }
        /<JAT_start_time>|<JB_submission_time>/ { time = epoch(text()) }
        /<slots>/             { slots = text() }
        /<tasks>/             { tasks = word(text()) }
        /<JB_owner>/          { owner = text(); gsub(/[ \t]/, "\\&#32;", owner) }
        /<master>/            { role = text() }
        /<queue_name>/        { queue = text(); sub(/^.*@/, "", queue) }
        /<\/job_list>/ {
            if (!(id in head)) {
                order[++count] = id
                head[id] = id " " state " " time " " slots " " owner " " name " " tasks
            }
            if (queue != "" && role == "SLAVE") {
                slaves[id]++
                if (!there[id, queue]++) nodes[id] = nodes[id] " " queue
            } else if (queue != "") {
                master[id] = queue
            }
        }
        END {
            for (i = 1; i <= count; i++) {
                id = order[i]; line = head[id]
                if (only != "" && id != only) continue
                if (slaves[id]) {
                    n = split(nodes[id], node, " ")
                    for (j = 1; j <= n; j++) line = line " " node[j] " " there[id, node[j]]
                } else if (master[id] != "") {
                    line = line " " master[id] " 1"
                }
                print line
            }
        }' "$work/qstat"
}

# look ID: leaves the line of one job in $line; empty if there is none
look() {
    job_lines "$1" >"$work/line"
    line=
    read -r line <"$work/line" || :
}

# state_of LINE: waiting, running, suspended or none
state_of() {
    known=${1#* }
    case ${known%% *} in
        '') echo none ;;
        *q*) echo waiting ;;
        *[sST]*) echo suspended ;;
        *) echo running ;;
    esac
}

# await ID STATE...: waits until the job is in one of the states; the line is left in $line. Fails after GE_START_WAIT.
await() {
    awaited=$1
    shift
    until_time=$(($(date +%s) + GE_START_WAIT))
    while :; do
        look "$awaited"
        case " $* " in
            *" $(state_of "$line") "*) return 0 ;;
        esac
        [ "$(date +%s)" -lt "$until_time" ] || return 1
        sleep 0.2
    done
}

# as_told COMMAND...: runs it; what it says is the refusal if it fails
as_told() {
    said=$("$@" 2>&1) && return 0
    case $said in
        *commlib* | *'unable to contact'* | *'unable to send'* | *'got select error'*) again "$1: $said" ;;
        *) refuse "$1: $said" ;;
    esac
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
