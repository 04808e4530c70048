#!/bin/sh
# Prepares a Grid Engine cell for Weir; run it once, as a manager. It says what it changes, and changes nothing twice.
#
# - the scheduler, which has to stay on, looks for work every second and after every change
# - accounting is written at once, so that a job that ends is never out of sight
# - one parallel environment per number of slots on a node: it makes Grid Engine put slots where Weir says
# - jsv.sh, which has to lie where the qmaster's host finds it and the cell's admin user may read it, verifies every job, so
#   that it waits for Weir; of running and waiting jobs, jsv_allowed_mod says what may be changed then, managers included
set -eu
. "${0%/*}/lib.sh"

qconf -ssconf | sed -e 's/^\(schedule_interval *\).*/\10:0:1/' -e 's/^\(flush_submit_sec *\).*/\11/' \
    -e 's/^\(flush_finish_sec *\).*/\11/' >"$work/sched"
qconf -Msconf "$work/sched"

qconf -sconf global >"$work/global"
if ! grep -q accounting_flush_time=00:00:00 "$work/global"; then
    sed -e 's/accounting_flush_time=[0-9:]* *//' -e 's/^\(reporting_params  *\)/\1accounting_flush_time=00:00:00 /' \
        "$work/global" >"$work/dir" && mkdir "$work/conf" && mv "$work/dir" "$work/conf/global"
    qconf -Mconf "$work/conf/global"
fi

here=$(cd "${0%/*}" && pwd)
qconf -sconf global >"$work/global"
url=$(sed -n 's/^jsv_url  *//p' "$work/global")
case $url in
    none | NONE | "script:$here/jsv.sh")
        # What the scripts change of a job, beside what the cell allows already.
        allowed=$(sed -n 's/^jsv_allowed_mod  *//p' "$work/global" | sed 's/^none$//I')
        for switch in h ac l_hard pe; do
            case ,$allowed, in
                *,$switch,*) ;;
                *) allowed=${allowed:+$allowed,}$switch ;;
            esac
        done
        sed -e "s|^\(jsv_url  *\).*|\1script:$here/jsv.sh|" -e "s|^\(jsv_allowed_mod  *\).*|\1$allowed|" \
            "$work/global" >"$work/wanted"
        if ! cmp -s "$work/global" "$work/wanted"; then
            mkdir "$work/jsv" && mv "$work/wanted" "$work/jsv/global"
            qconf -Mconf "$work/jsv/global"
        fi
        ;;
    *)
        echo "jsv_url is $url and stays: unless it does for every job what $here/jsv.sh does, users start jobs past Weir" >&2
        ;;
esac

for slots in ${GE_SLOTS:-1 2 4 8 16 32 64 128}; do
    pe=$GE_PE_PREFIX$slots
    if ! qconf -sp "$pe" >/dev/null 2>&1; then
        cat >"$work/pe" <<EOF
pe_name            $pe
slots              99999
user_lists         NONE
xuser_lists        NONE
start_proc_args    NONE
stop_proc_args     NONE
allocation_rule    $slots
control_slaves     TRUE
job_is_first_task  FALSE
urgency_slots      min
accounting_summary TRUE
qsort_args         NONE
EOF
        qconf -Ap "$work/pe"
    fi
    qconf -aattr queue pe_list "$pe" "$GE_QUEUE" || :
done
