-- Tells Weir's connector to look now: Slurm calls this when a job has ended. It runs within slurmctld and starts no process,
-- so an end costs next to nothing. Copy it beside slurm.conf and set JobCompType=jobcomp/lua. Where the site has another
-- JobCompType, poke.sh as EpilogSlurmctld does the same.

-- Written to, so that the connector looks at once: its connector.poke.file. Left alone when missing.
local POKE = "/run/weir/poke"

function slurm_jobcomp_log_record(job)
   local file = io.open(POKE, "r+")
   if file ~= nil then
      file:write(".")
      file:close()
   end
   return slurm.SUCCESS
end
