#!/bin/sh
# Submits jobs, starts each on the node this script picks and asks Grid Engine's accounting where it ran. Run it as a
# manager of an idle test cell, with GE_DRILL_USER naming the user who submits; ends with 0 if every job ran once, there.
set -eu
. "${0%/*}/lib.sh"

here=$(cd "${0%/*}" && pwd)
count=${1:-10}
submit="echo 'sleep 1' | qsub -terse -N drill -l h_rt=60 -wd /tmp -o /dev/null -e /dev/null"
nodes=$(sh "$here/nodes.sh" | awk '$2 ~ /^STATE=(Idle|Running)/ { print $1 }')
[ -n "$nodes" ] || { echo "no node is idle" >&2; exit 1; }

jobs=''
for i in $(seq "$count"); do
    job=$(if [ -n "${GE_DRILL_USER:-}" ]; then runuser -u "$GE_DRILL_USER" -- sh -c "$submit"; else sh -c "$submit"; fi)
    node=$(printf '%s\n' "$nodes" | awk -v i="$i" '{ n[NR] = $1 } END { print n[(i * 7) % NR + 1] }')
    answer=$(WEIR_COMMAND_ID=drill/$job/0 WEIR_WALLTIME=60 sh "$here/start.sh" "$job" "$node" drill)
    again=$(WEIR_COMMAND_ID=drill/$job/0 WEIR_WALLTIME=60 sh "$here/start.sh" "$job" "$node" drill)
    echo "job=$job node=$node start: $answer repeated: $again"
    jobs="$jobs $job:$node"
done

failed=0
for pair in $jobs; do
    job=${pair%%:*}
    await "$job" none || { echo "job=$job did not end" >&2; failed=1; }
    ran=$(awk -F : -v job="$job" '$6 == job { printf "%s%s", n++ ? "," : "", $2 }' \
        "${GE_ACCOUNTING:-${SGE_ROOT:-/var/lib/gridengine}/${SGE_CELL:-default}/common/accounting}")
    if [ "$ran" != "${pair#*:}" ]; then
        echo "job=$job ran on '$ran', not on ${pair#*:}" >&2
        failed=1
    fi
done
[ "$failed" -eq 0 ] && echo "$count jobs ran once each, where they were told"
exit "$failed"
