#!/bin/sh
# CLUSTERQUERYURL: every host with an instance of the queue, with the slots of that instance.
set -eu
. "${0%/*}/lib.sh"

qhost -q -xml >"$work/qhost" || again "qhost failed"
awk -v queue="$GE_QUEUE" -v tell_load="$GE_LOAD" '
    function value(    t) { t = $0; sub(/^[^>]*>/, "", t); sub(/<.*/, "", t); return t }
    function megabytes(t,    unit) {
        unit = substr(t, length(t))
        if (unit == "G") return int(t * 1024)
        if (unit == "T") return int(t * 1048576)
        if (unit == "M") return int(t + 0)
        return 0
    }
    function word(t) { gsub(/[^A-Za-z0-9._-]/, "_", t); return t }
    /<host name=/ {
        name = $0; sub(/^[^\047"]*[\047"]/, "", name); sub(/[\047"].*/, "", name)
        total = ""; used = 0; states = ""; load = arch = memory = swap = "-"; inside = 0
    }
    /<queue name=/          { inside = index($0, "\047" queue "\047") || index($0, "\"" queue "\"") }
    /name=.arch_string/     { arch = word(value()) }
    /name=.load_avg/        { load = value() }
    /name=.mem_total/       { memory = value() }
    /name=.swap_total/      { swap = value() }
    inside && /name=.slots_used/   { used = value() + 0 }
    inside && /name=.slots.>/      { total = value() + 0 }
    inside && /name=.state_string/ { states = value() }
    /<\/host>/ && name != "global" && total != "" {
        reason = ""
        if (states ~ /u/) { state = "Down"; reason = "the execution daemon does not answer" }
        else if (states ~ /E/) { state = "Down"; reason = "queue instance in error" }
        else if (states ~ /[dDCs]/) { state = used ? "Draining" : "Drained"; reason = "queue instance is " states }
        else if (states ~ /[aSo]/) { state = "Busy"; reason = "queue instance is " states }
        else state = used == 0 ? "Idle" : (used < total ? "Running" : "Busy")
        printf "%s STATE=%s%s;CPROC=%d;APROC=%d", name, state, reason == "" ? "" : ":\"" reason "\"", total, total - used
        if (memory != "-") printf ";CMEMORY=%d", megabytes(memory)
        if (swap != "-") printf ";CSWAP=%d", megabytes(swap)
        if (tell_load == "yes" && load ~ /^[0-9.]+$/) printf ";CPULOAD=%s", load
        if (arch != "_" && arch != "-") printf ";ARCH=%s", arch
        printf ";OS=linux\n"
    }' "$work/qhost"
