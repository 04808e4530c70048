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
   local own = string.gsub(string.sub(comment, #HELD + 1), "^%s+", "")
   -- Slurm does not take an empty comment for a change.
   return own == "" and " " or own
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

-- Is a number given? Slurm has three words for "not given", by the size of the field.
local function given(number)
   return number ~= nil and number ~= slurm.NO_VAL and number ~= slurm.NO_VAL16 and number ~= slurm.NO_VAL64
      and number ~= 65534 and number ~= 254 and number ~= 0
end

-- Features that Weir does not know; the connector reads the rest (FeatureExpression).
local function objection_to_features(job)
   local features = job.features
   if features == nil or features == "" then
      return nil
   end
   if string.find(features, "*", 1, true) then
      return "a count of nodes with a feature (-C 'a*2') is not supported on this cluster: submit a heterogeneous"
         .. " workload as jobs of their own"
   end
   if string.find(features, "[", 1, true) and job.max_nodes ~= 1 then
      return "the same feature on all nodes (-C '[a|b]') is supported on this cluster for jobs on one node (-N1) only:"
         .. " ask for one of the features"
   end
   local bare = string.gsub(features, "%b()", "")
   if string.find(bare, "|", 1, true) and (string.find(features, "&", 1, true) or string.find(bare, ",", 1, true)) then
      return "-C '" .. features .. "' can be read in two ways: put the choice in parentheses, as in 'a&(b|c)'"
   end
   for inner in string.gmatch(features, "%b()") do
      if string.find(inner, "[&,(]", 2) then
         return "-C '" .. features .. "': only a choice may stand in parentheses on this cluster, as in 'a&(b|c)'"
      end
   end
   return nil
end

-- Returns why a job cannot be what its user asks for; nil when it can.
local function objection(job)
   if job.contiguous == 1 then
      return "contiguous nodes (--contiguous) are not supported on this cluster"
   end
   if given(job.sockets_per_node) or given(job.cores_per_socket) then
      return "sockets and cores by number (-B, --sockets-per-node, --cores-per-socket) are not supported on this cluster:"
         .. " ask for processors (-c, --mincpus)"
   end
   if job.cpus_per_tres ~= nil and job.cpus_per_tres ~= "" then
      return "processors by GPU (--cpus-per-gpu) are not supported on this cluster: ask for them by task (-c)"
   end
   if job.mem_per_tres ~= nil and job.mem_per_tres ~= "" then
      return "memory by GPU (--mem-per-gpu) is not supported on this cluster: ask for it by node (--mem) or processor"
         .. " (--mem-per-cpu)"
   end
   if job.burst_buffer ~= nil and job.burst_buffer ~= "" then
      return "burst buffers are not supported on this cluster"
   end
   return objection_to_features(job)
end

-- Adds the nodes of a host list such as n[1-3,7],m1 to those found.
local function add_hosts(list, found)
   local depth, from = 0, 1
   for i = 1, #list + 1 do
      local char = string.sub(list, i, i)
      if char == "[" then
         depth = depth + 1
      elseif char == "]" then
         depth = depth - 1
      elseif depth == 0 and (char == "," or char == "") then
         local name = string.sub(list, from, i - 1)
         local head, ranges, tail = string.match(name, "^([^%[]*)%[([^%]]*)%](.*)$")
         if head == nil then
            found[name] = true
         else
            for range in string.gmatch(ranges, "[^,]+") do
               local first, last = string.match(range, "^(%d+)%-(%d+)$")
               first, last = first or range, last or range
               for number = tonumber(first), tonumber(last) do
                  add_hosts(head .. string.format("%0" .. #first .. "d", number) .. tail, found)
               end
            end
         end
         from = i + 1
      end
   end
   return found
end

-- What nodes have, by the slurm.conf beside this script: Slurm tells a plug-in of partitions alone.
local function read_nodes(path)
   local nodes, defaults = {}, {}
   local file = io.open(path, "r")
   if file == nil then
      return nodes
   end
   local text = string.gsub(file:read("*a"), "\\\r?\n", " ")
   file:close()
   for line in string.gmatch(text, "[^\r\n]+") do
      line = string.gsub(line, "#.*", "")
      if string.find(string.lower(line), "^%s*nodename%s*=") then
         local has = setmetatable({}, { __index = defaults })
         for name, value in string.gmatch(line, "(%w+)%s*=%s*(%S+)") do
            has[string.lower(name)] = tonumber(value) or value
         end
         if string.upper(has.nodename) == "DEFAULT" then
            defaults = has
         else
            local sockets = has.sockets or (has.boards or 1) * (has.socketsperboard or 1)
            local cpus = has.cpus or has.procs or sockets * (has.corespersocket or 1) * (has.threadspercore or 1)
            for name in pairs(add_hosts(tostring(has.nodename), {})) do
               nodes[name] = { cpus = cpus, memory = has.realmemory }
            end
         end
      end
   end
   return nodes
end

local CONF = (os.getenv("SLURM_CONF") or string.match(debug.getinfo(1, "S").source, "^@(.*/)[^/]*$") or "/etc/slurm/")
if string.sub(CONF, -1) == "/" then
   CONF = CONF .. "slurm.conf"
end
local nodes, nodes_read = {}, 0

local function nodes_now()
   if os.time() - nodes_read > 60 then
      local fine, result = pcall(read_nodes, CONF)
      nodes, nodes_read = fine and result or {}, os.time()
   end
   return nodes
end

-- Hosts by list, for every submission asks for the same few.
local hosts_of = {}

-- Counts the nodes of a partition that have so much, up to enough; one that nobody describes may have any amount.
local function nodes_with(partition, cpus, memory, enough)
   local list = partition.nodes or ""
   hosts_of[list] = hosts_of[list] or add_hosts(list, {})
   local known, count = nodes_now(), 0
   for name in pairs(hosts_of[list]) do
      local has = known[name]
      if has == nil or (has.cpus >= cpus and (has.memory == nil or has.memory >= memory)) then
         count = count + 1
         if count >= enough then
            break
         end
      end
   end
   return count
end

-- Returns why a job could never run in a partition; nil when it could.
local function impossible_in(job, partition)
   local least = given(job.min_nodes) and job.min_nodes or 1
   if least > (partition.total_nodes or 0) then
      return least .. " nodes were asked for; the partition has " .. (partition.total_nodes or 0)
   end
   if given(job.min_cpus) and job.min_cpus > (partition.total_cpus or 0) then
      return job.min_cpus .. " processors were asked for; the partition has " .. (partition.total_cpus or 0)
   end
   local task = given(job.cpus_per_task) and job.cpus_per_task or 1
   local cpus = task * (not given(job.num_tasks) and given(job.ntasks_per_node) and job.ntasks_per_node or 1)
   cpus = math.max(cpus, given(job.pn_min_cpus) and job.pn_min_cpus or 1)
   local memory = 0
   if given(job.min_mem_per_node) then
      memory = job.min_mem_per_node
   elseif given(job.min_mem_per_cpu) then
      memory = job.min_mem_per_cpu * cpus
   end
   if given(job.overcommit) then
      cpus = 1
   end
   local count = nodes_with(partition, cpus, memory, least)
   if partition.nodes ~= nil and partition.nodes ~= "" and count < least then
      local what = string.format("%d %s", cpus, cpus == 1 and "processor" or "processors")
      if memory > 0 then
         what = what .. string.format(" and %d MB of memory", memory)
      end
      return least == 1 and "a node with " .. what .. " was asked for; the partition has none"
         or string.format("%d nodes with %s each were asked for; the partition has %d", least, what, count)
   end
   -- A quality of service may lift the partition's limit; which one does, nobody knows here.
   local limit = given(job.time_min) and job.time_min or job.time_limit
   if given(limit) and given(partition.max_time) and limit > partition.max_time and (job.qos or "") == "" then
      return limit == slurm.INFINITE
            and string.format("no time limit was asked for; the partition has one of %d minutes", partition.max_time)
         or string.format("%d minutes were asked for; the partition has a limit of %d", limit, partition.max_time)
   end
   return nil
end

-- Slurm does not look at what a held job asks for: what the cluster could never give would wait for ever. Of several
-- partitions one that could is enough.
local function impossible(job, partitions)
   local asked, why = {}, nil
   for name in string.gmatch(job.partition or "", "[^,]+") do
      asked[name] = true
   end
   for name, partition in pairs(partitions) do
      if asked[name] or (next(asked) == nil and partition.flag_default == 1) then
         local objection_here = impossible_in(job, partition)
         if objection_here == nil then
            return nil
         end
         why = why or objection_here
      end
   end
   return why
end

-- A job that is content with less (--time-min) gets no more than its partition allows.
local function fit_limit(job, partitions)
   local partition = partitions[job.partition or ""]
   if partition ~= nil and given(job.time_min) and given(job.time_limit) and given(partition.max_time)
      and job.time_limit > partition.max_time then
      job.time_limit = math.max(job.time_min, partition.max_time)
   end
end

function slurm_job_submit(job, partitions, uid)
   -- Weir's own short-lived jobs, by which a running job gets another node, choose their priority.
   if uid == 0 and job.priority ~= slurm.NO_VAL and job.priority ~= 0 then
      return slurm.SUCCESS
   end
   -- With sched/builtin Slurm itself refuses these, before it asks here and without a reason: see cli_filter.lua.
   if job.het_job_offset ~= nil and job.het_job_offset ~= slurm.NO_VAL then
      slurm.log_user("heterogeneous jobs are not supported on this cluster: submit the components as jobs of their own")
      return slurm.ERROR
   end
   local why = objection(job) or impossible(job, partitions)
   if why ~= nil then
      slurm.log_user("%s", why)
      return slurm.ERROR
   end
   if job.priority == 0 then
      job.comment = marked(job.comment)
   end
   fit_limit(job, partitions)
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
