-- Gives a Slurm cluster to Weir: every job arrives held and is started by Weir, on the nodes Weir chose.
-- Copy it beside slurm.conf and set JobSubmitPlugins=lua.
--
-- Held for Weir means priority 0, which Slurm shows as JobHeldUser. A hold that the user asks for (sbatch --hold,
-- scontrol hold) would look the same, so it is kept as a word in front of the job's comment; scontrol release takes the
-- word away and leaves the job to Weir. An administrator's hold is JobHeldAdmin; scontrol uhold gives the job back to
-- Weir, scontrol release lets Slurm start it by itself.

local HELD = "[held by user]"

-- Written to when a job arrives, so that the connector looks at once: its connector.poke.file. Left alone when missing.
local POKE = "/run/weir/poke"

local function poke()
   local file = io.open(POKE, "r+")
   if file ~= nil then
      file:write(".")
      file:close()
   end
end

local function is_marked(comment)
   return comment ~= nil and string.sub(comment, 1, #HELD) == HELD
end

local function unmarked(comment)
   if not is_marked(comment) then
      return comment or ""
   end
   return (string.gsub(string.sub(comment, #HELD + 1), "^%s+", ""))
end

local function marked(comment)
   if is_marked(comment) then
      return comment
   end
   if comment == nil or comment == "" then
      return HELD
   end
   return HELD .. " " .. comment
end

function slurm_job_submit(job, partitions, uid)
   -- Weir's own short-lived jobs, by which a running job gets another node, choose their priority.
   if uid == 0 and job.priority ~= slurm.NO_VAL and job.priority ~= 0 then
      return slurm.SUCCESS
   end
   if job.array_inx ~= nil and job.array_inx ~= "" then
      slurm.log_user("job arrays are not supported on this cluster: submit the tasks as jobs of their own")
      return slurm.ERROR
   end
   -- With sched/builtin Slurm itself refuses these, before it asks here and without a reason: see cli_filter.lua.
   if job.het_job_offset ~= nil and job.het_job_offset ~= slurm.NO_VAL then
      slurm.log_user("heterogeneous jobs are not supported on this cluster: submit the components as jobs of their own")
      return slurm.ERROR
   end
   if job.priority == 0 then
      job.comment = marked(job.comment)
   end
   job.priority = 0
   poke()
   return slurm.SUCCESS
end

function slurm_job_modify(job, record, partitions, uid)
   if uid == 0 or job.priority == slurm.NO_VAL then
      return slurm.SUCCESS
   end
   local comment = job.comment or record.comment
   if job.priority == 0 then
      job.comment = marked(comment)
   else
      job.comment = unmarked(comment)
      job.priority = 0
   end
   return slurm.SUCCESS
end

return slurm.SUCCESS
