#!/bin/bash
# Tells Weir's connector to look now. As PrologSlurmctld and EpilogSlurmctld of slurm.conf it shows starts and ends at
# once. It never waits and never fails, for Slurm would drain the node or requeue the job.
#
# Where the connector runs elsewhere, POKE_HOST and POKE_PORT are its host and connector.poke.port.
POKE_FILE=/run/weir/poke
POKE_HOST=
POKE_PORT=

if [[ -w $POKE_FILE ]]; then
  touch "$POKE_FILE"
fi
if [[ -n $POKE_HOST ]]; then
  echo >"/dev/udp/$POKE_HOST/$POKE_PORT"
fi 2>/dev/null
exit 0
