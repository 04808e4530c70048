#!/bin/sh
# Tells Weir's connector to look now. As EpilogSlurmctld of slurm.conf it shows the ends of jobs at once. It never waits and
# never fails, for Slurm would drain the node or requeue the job; and it starts no process of its own, for it runs for each job.
#
# Where the connector runs elsewhere, POKE_HOST and POKE_PORT are its host and connector.poke.port (this takes bash).
POKE_FILE=/run/weir/poke
POKE_HOST=
POKE_PORT=

if [ -w "$POKE_FILE" ]; then
  echo >"$POKE_FILE"
fi
if [ -n "$POKE_HOST" ]; then
  bash -c "echo >/dev/udp/$POKE_HOST/$POKE_PORT"
fi 2>/dev/null
exit 0
