#!/bin/sh
# NODEMODIFYURL: nodes-modify.sh NODE,NODE... --set state=Draining|Idle
set -eu
. "${0%/*}/lib.sh"

[ "$2" = --set ] || refuse "expected --set, not $2"
case $3 in
    state=Draining | state=drain) action=-d ;;
    state=Idle | state=resume) action=-e ;;
    *) refuse "cannot set $3" ;;
esac
for node in $(printf '%s' "$1" | tr ',' ' '); do
    as_told qmod "$action" "$GE_QUEUE@$node"
done
done_at "$(date +%s)"
