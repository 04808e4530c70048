-- Tells job_submit.lua of options that Slurm keeps to itself, by words in front of the job's comment, which are taken away there:
-- --no-kill, for a job that keeps running without a node of its is then not ended by Weir either (RESFAILPOLICY), and --core-spec
-- and --thread-spec, for such a job needs nodes with more processors than its tasks have. And an allocation at once or not at all (-I)
-- becomes one within a few seconds, which is how soon Weir knows.
-- Copy it beside slurm.conf and set CliFilterPlugins=lua.

local NO_KILL = "[no kill]"
local KEPT = "[kept %s %d]"

-- What options say of -I without a number, and the seconds that it becomes.
local AT_ONCE, SOON = "1", "5"

local function is_set(option)
   return option ~= nil and option ~= "" and option ~= "unset"
end

function slurm_cli_setup_defaults(options, early)
   return slurm.SUCCESS
end

function slurm_cli_pre_submit(options, offset)
   local words = {}
   local no_kill = options["no-kill"]
   if is_set(no_kill) and no_kill ~= "false" and no_kill ~= "no" then
      words[#words + 1] = NO_KILL
   end
   for _, kind in ipairs({ "core", "thread" }) do
      local number = tonumber(options[kind .. "-spec"])
      if number ~= nil and number > 0 then
         words[#words + 1] = string.format(KEPT, kind, number)
      end
   end
   -- A step is Slurm's business alone.
   if options["immediate"] == AT_ONCE and os.getenv("SLURM_JOB_ID") == nil and not is_set(options["jobid"]) then
      options["immediate"] = SOON
   end
   if #words > 0 then
      local comment = options["comment"]
      options["comment"] = table.concat(words, " ") .. (is_set(comment) and " " .. comment or "")
   end
   return slurm.SUCCESS
end

function slurm_cli_post_submit(offset, job, step)
   return slurm.SUCCESS
end
