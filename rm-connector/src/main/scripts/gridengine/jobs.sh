#!/bin/sh
# WORKLOADQUERYURL: every job qstat knows, and those that ended lately by the accounting file.
#
# A system or user hold means that the job waits for Weir; an operator hold is a hold. The time of submission is that of
# qstat -j, which no user can change. Grid Engine begins it anew when a job goes back into the queue (R); of such a job none
# is told, and Weir keeps the one it knows.
set -eu
. "${0%/*}/lib.sh"

now=$(date +%s)
job_lines >"$work/lines"
qstat -u '*' -s ho -xml >"$work/operator" || again "qstat -s ho failed"
if [ -s "$work/lines" ]; then
    # As XML, in which no text of a user can look like an element of another job: its line breaks are kept, its < are not.
    qstat -j '*' -xml >"$work/details" || grep -q '<unknown_jobs' "$work/details" || again "qstat -j failed"
else
    : >"$work/details"
fi
if [ -r "$accounting" ]; then
    tail -n "${GE_ACCOUNTING_LINES:-5000}" "$accounting" >"$work/ended"
else
    : >"$work/ended"
fi

awk -v now="$now" -v recent="$GE_RECENT" -v work="$work" '
    function text(    t) { t = $0; sub(/^[^>]*>/, "", t); sub(/<.*/, "", t); return t }
    # plain: a text of the XML as it was; quoted: any text, such as the user of a directory service, as Weir reads it
    function plain(t) {
        gsub(/&#32;/, " ", t); gsub(/&lt;/, "<", t); gsub(/&gt;/, ">", t); gsub(/&quot;/, "\"", t); gsub(/&apos;/, "\047", t)
        gsub(/&amp;/, "\\&", t)
        return t
    }
    function quoted(t) { gsub(/[\\"]/, "\\\\&", t); return "\"" t "\"" }
    FILENAME == work "/operator" {
        if ($0 ~ /<JB_job_number>/) { t = $0; gsub(/[^0-9]/, "", t); operator[t] = 1 }
        next
    }
    FILENAME == work "/details" {
        if ($0 ~ /<JB_job_number>/) { id = text() + 0; hard = context = 0 }
        else if ($0 ~ /<JB_submission_time>/) submitted[id] = text()
        else if ($0 ~ /<JB_group>/) group[id] = text()
        # 1024 stands for none.
        else if ($0 ~ /<JB_priority>/) priority[id] = text() - 1024
        else if ($0 ~ /<JB_project>/) project[id] = text()
        else if ($0 ~ /<\/?JB_hard_resource_list>/) hard = $0 !~ /\//
        else if ($0 ~ /<CE_name>/) name = text()
        else if ($0 ~ /<CE_stringval>/ && hard && name == "h_rt") limit[id] = text()
        else if ($0 ~ /<\/?JB_context>/) context = $0 !~ /\//
        else if ($0 ~ /<VA_variable>/) name = text()
        else if ($0 ~ /<VA_value>/ && context && name == "weir_command") command[id] = text()
        next
    }
    FILENAME == work "/lines" {
        id = $1; state = $2; present[id] = 1
        tasks = $4; list = ""
        if (NF > 7) {
            tasks = 0
            for (i = 8; i < NF; i += 2) {
                tasks += $(i + 1)
                for (j = 0; j < $(i + 1); j++) list = list (list == "" ? "" : ",") $i
            }
        }
        reason = ""
        if ($7 != "-") { word = "Hold"; reason = "array jobs are not scheduled by Weir" }
        else if (state ~ /E/) { word = "Hold"; reason = "Grid Engine found an error in the job: see qstat -j" }
        else if (state ~ /q/) word = (id in operator) ? "Hold" : "Idle"
        else if (state ~ /t/) word = "Starting"
        else if (state ~ /[sST]/) word = "Suspended"
        else word = "Running"
        printf "%s STATE=%s;UNAME=%s;UPDATETIME=%d;TASKS=%d;NAME=%s", id, word, quoted(plain($5)), now, tasks, $6
        if (state !~ /R/) printf ";QUEUETIME=%d", (id in submitted) ? submitted[id] : $3
        if (id in group) printf ";GNAME=%s", quoted(plain(group[id]))
        if (priority[id]) printf ";UPRIORITY=%d", priority[id]
        if (id in project) printf ";ACCOUNT=%s", quoted(plain(project[id]))
        if (limit[id] ~ /^[0-9]+$/ && limit[id] > 0) printf ";WCLIMIT=%s", limit[id]
        if (list != "") printf ";STARTTIME=%d;TASKLIST=%s", $3, list
        # Its user can write there, too: nothing that would be more than this value.
        if (id in command && command[id] !~ /[^A-Za-z0-9._\/:@%+-]/) printf ";VARIABLE=command=%s", command[id]
        if (reason != "") printf ";EVENT=\"%s\"", reason
        printf "\n"
        next
    }
    # The accounting file: later lines of a job win; one without an end was rescheduled.
    {
        n = split($0, field, ":")
        if (n < 36 || field[1] ~ /^#/ || field[11] <= 0 || field[11] < now - recent || (field[6] in present)) next
        id = field[6]
        if (field[12] == 37 || (field[12] == 100 && field[13] == 137)) word = "Cancelled"
        else word = field[12] == 0 && field[13] == 0 ? "Completed" : "Failed"
        line = sprintf("%s STATE=%s;UNAME=%s;GNAME=%s;QUEUETIME=%d;UPDATETIME=%d;STARTTIME=%d;COMPLETIONTIME=%d;" \
            "TASKS=%d;EXITCODE=%d", id, word, quoted(field[4]), quoted(field[3]), field[9], field[11], field[10], field[11], \
            field[35], field[13])
        if (field[35] == 1) line = line ";TASKLIST=" field[2]
        # What was asked for is in the category, unless a time written with colons has torn it apart.
        if (field[41] ~ /^[0-9]+\.[0-9]+$/ && match(field[40], /h_rt=[0-9]+/))
            line = line ";WCLIMIT=" substr(field[40], RSTART + 5, RLENGTH - 5)
        if (field[12] == 37) line = line ";EVENT=\"time limit\""
        ended[id] = line
    }
    END { for (id in ended) print ended[id] }
' "$work/operator" "$work/details" "$work/lines" "$work/ended" | sort -n
