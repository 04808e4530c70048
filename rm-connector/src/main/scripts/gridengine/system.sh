#!/bin/sh
# SYSTEMQUERYURL: version and clock.
set -eu
. "${0%/*}/lib.sh"

version=$(qstat -help 2>/dev/null | head -n 1 | tr -d '";') || again "qstat failed"
echo "gridengine VERSION=\"${version:-unknown}\";TIME=$(date +%s)"
