#!/bin/sh
# JOBMODIFYURL: modify.sh JOB ATTR=VALUE, where it is hold=1, hold=0 or walltime=SECONDS
set -eu
. "${0%/*}/lib.sh"

job_details "$1"
case $2 in
    hold=1) as_told qhold -h o "$1" ;;
    hold=0) as_told qrls -h o "$1" ;;
    walltime=*[!0-9]* | walltime=) refuse "'$2' is not walltime=SECONDS" ;;
    walltime=*)
        resources=$(detail 'hard resource_list' | tr ',' '\n' | grep -v '^h_rt=' | paste -s -d ',' - || :)
        as_told qalter -l "${resources:+$resources,}h_rt=${2#walltime=}" "$1"
        ;;
    *) refuse "cannot change $2" ;;
esac
done_at "$(date +%s)"
