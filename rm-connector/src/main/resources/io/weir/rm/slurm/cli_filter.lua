-- Tells Weir of --no-kill, which Slurm keeps to itself: by the word nokill in the comment, where that is free or already
-- Weir's. A job that keeps running without a node of its is then not ended by Weir (RESFAILPOLICY).
-- Copy it beside slurm.conf and set CliFilterPlugins=lua.

local function is_set(option)
   return option ~= nil and option ~= "" and option ~= "unset" and option ~= "false" and option ~= "no"
end

local function with_nokill(comment)
   if not is_set(comment) then
      return "x=nokill"
   elseif string.sub(comment, 1, 2) ~= "x=" or string.find("," .. string.sub(comment, 3) .. ",", "[,;]nokill[,;]") then
      return comment
   end
   return comment .. ";nokill"
end

function slurm_cli_setup_defaults(options, early)
   return slurm.SUCCESS
end

function slurm_cli_pre_submit(options, offset)
   if is_set(options["no-kill"]) then
      options["comment"] = with_nokill(options["comment"])
   end
   return slurm.SUCCESS
end

function slurm_cli_post_submit(offset, job, step)
   return slurm.SUCCESS
end
