-- Tells job_submit.lua of --no-kill, which Slurm keeps to itself: by a word in front of the job's comment, which is taken away
-- there. A job that keeps running without a node of its is then not ended by Weir either (RESFAILPOLICY).
-- Copy it beside slurm.conf and set CliFilterPlugins=lua.

local NO_KILL = "[no kill]"

local function is_set(option)
   return option ~= nil and option ~= "" and option ~= "unset"
end

function slurm_cli_setup_defaults(options, early)
   return slurm.SUCCESS
end

function slurm_cli_pre_submit(options, offset)
   local no_kill = options["no-kill"]
   if is_set(no_kill) and no_kill ~= "false" and no_kill ~= "no" then
      local comment = options["comment"]
      options["comment"] = NO_KILL .. (is_set(comment) and " " .. comment or "")
   end
   return slurm.SUCCESS
end

function slurm_cli_post_submit(offset, job, step)
   return slurm.SUCCESS
end
