-- Tells job_submit.lua of options that Slurm keeps to itself, by words in front of the job's comment, which are taken away there:
-- --no-kill, for a job that keeps running without a node of its is then not ended by Weir either (RESFAILPOLICY), and --core-spec
-- and --thread-spec, for such a job needs nodes with more processors than its tasks have.
-- Copy it beside slurm.conf and set CliFilterPlugins=lua.

local NO_KILL = "[no kill]"
local KEPT = "[kept %s %d]"

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
   if #words > 0 then
      local comment = options["comment"]
      options["comment"] = table.concat(words, " ") .. (is_set(comment) and " " .. comment or "")
   end
   return slurm.SUCCESS
end

function slurm_cli_post_submit(offset, job, step)
   return slurm.SUCCESS
end
