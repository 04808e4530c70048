-- Tells Weir's connector which job has ended, so that it looks at that one now: Slurm calls this when a job ends. It runs within
-- slurmctld and starts no process, so an end costs next to nothing. Copy it beside slurm.conf and set JobCompType=jobcomp/lua.
-- Where the site has another JobCompType, poke.sh as EpilogSlurmctld does the same.

-- Appended to, so that the connector looks at once: its connector.poke.file. Left alone when missing.
local POKE = "/run/weir/poke"

-- The connector empties the file beyond this size. When it does not, because it is not there, the file grows no further.
local LONG = 65536

function slurm_jobcomp_log_record(job)
   local file = io.open(POKE, "r+")
   if file ~= nil then
      if file:seek("end") > LONG then
         file:seek("set")
      end
      file:write(string.format("job %d\n", job.job_id))
      file:close()
   end
   return slurm.SUCCESS
end
