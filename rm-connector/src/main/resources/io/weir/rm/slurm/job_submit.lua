-- Gives a Slurm cluster to Weir: every job arrives held and is started by Weir, on the nodes Weir chose.
-- Copy it beside slurm.conf and set JobSubmitPlugins=lua.
--
-- Held for Weir means priority 0, which Slurm shows as JobHeldUser. A hold that the user asks for (sbatch --hold,
-- scontrol hold) would look the same, so it is kept as a word in front of the job's comment; scontrol release takes the
-- word away and leaves the job to Weir. An administrator's hold is JobHeldAdmin; scontrol uhold, and scontrol release by an
-- operator, give the job back to Weir, scontrol release by root lets Slurm start it by itself.

local HELD = "[held by user]"

-- Appended to when a job arrives, so that the connector looks at once: its connector.poke.file. Left alone when missing.
local POKE = "/run/weir/poke"

-- The connector empties the file beyond this size. When it does not, because it is not there, the file grows no further.
local LONG = 65536

local function poke()
   local file = io.open(POKE, "r+")
   if file ~= nil then
      if file:seek("end") > LONG then
         file:seek("set")
      end
      file:write("new\n")
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
   if string.match(comment or "", "^%s*$") then
      return HELD
   end
   return HELD .. " " .. comment
end

-- Is a number given, in a field of 32 bits or more? Slurm has a word for "not given" for each size of a field.
local function given(number)
   return number ~= nil and number ~= slurm.NO_VAL and number ~= slurm.NO_VAL64 and number ~= 0
end

-- Is it given in one of 16 bits?
local function given_short(number)
   return number ~= nil and number ~= slurm.NO_VAL16 and number ~= 0
end

-- Is it changed? Here 0 is a number like others.
local function given_now(number)
   return number ~= nil and number ~= slurm.NO_VAL
end

-- The longest text of features or resources: it is read for every kind of node, while slurmctld waits.
local LONGEST = 1024

-- Features that Weir does not know; the connector reads the rest (FeatureExpression).
local function objection_to_features(job)
   local features = job.features
   if features == nil or features == "" then
      return nil
   end
   if #features > LONGEST then
      return "features (-C) of more than " .. LONGEST .. " characters are not supported on this cluster"
   end
   if string.find(features, "*", 1, true) then
      return "a count of nodes with a feature (-C 'a*2') is not supported on this cluster: ask for these nodes by a"
         .. " component of a heterogeneous job (-C a -N2 : ...)"
   end
   local _, choices = string.gsub(features, "%[", "")
   if choices > 1 or (choices == 1 and not string.find("&" .. string.gsub(features, ",", "&") .. "&", "&%[[^%[%]()&|:;=%s]+|?[^%[%]()&:;=%s]*%]&")) then
      return "-C '" .. features .. "': of the same feature on all nodes, one choice is supported on this cluster, as in '[a|b]&c'"
   end
   local bare = string.gsub(string.gsub(features, "%b()", ""), "%b[]", "")
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

-- Says whether tasks share processors (-O), which Slurm does not tell a plug-in. Of tasks that follow from GPUs it counts the
-- processors later.
local function shares_processors(job)
   local counted_later = given_short(job.ntasks_per_tres) or (job.tres_per_job or "") ~= "" and (job.tres_per_task or "") ~= ""
   return not counted_later and given(job.num_tasks) and given(job.min_cpus) and job.min_cpus < job.num_tasks
end

-- Returns why a job may not expand another; nil where it is not to. Weir has slurm.conf allow it, for jobs of its own.
local function objection_to_expansion(job)
   if string.find(job.dependency or "", "expand:", 1, true) then
      return "the expansion of another job (-d expand) is not supported on this cluster"
   end
   return nil
end

-- Returns why a job cannot be what its user asks for; nil when it can.
local function objection(job)
   if job.cron_job then
      return "scrontab is not supported on this cluster: Slurm lets nobody change its jobs, and so nobody but itself start them"
   end
   local about_expansion = objection_to_expansion(job)
   if about_expansion ~= nil then
      return about_expansion
   end
   if job.contiguous == 1 and job.het_job_offset ~= nil and job.het_job_offset ~= slurm.NO_VAL then
      return "contiguous nodes (--contiguous) are not supported on this cluster in a heterogeneous job"
   end
   if job.immediate == 1 then
      return "an allocation at once or not at all (-I) is not supported on this cluster: say how many seconds it may take (-I10)"
   end
   if job.min_nodes == 0 then
      return "0 nodes (-N 0) can not be allocated on this cluster"
   end
   if shares_processors(job) then
      if given(job.max_nodes) and job.max_nodes ~= (given(job.min_nodes) and job.min_nodes or 1) then
         return "tasks that share processors (-O) on a range of nodes (-N " .. (given(job.min_nodes) and job.min_nodes or 1) .. "-"
            .. job.max_nodes .. ") are not supported on this cluster: say how many (-N)"
      end
      if given_short(job.ntasks_per_node) and not given(job.min_nodes) then
         return "tasks that share processors (-O), so many on a node (--ntasks-per-node), are not supported on this cluster without"
            .. " a number of nodes (-N)"
      end
      if (job.tres_per_task or "") ~= "" then
         return "tasks that share processors (-O) and have generic resources each (--gpus-per-task) are not supported on this"
            .. " cluster: ask for those of a node (--gres) or of the job (--gpus)"
      end
   end
   if (job.tres_per_job or "") .. (job.tres_per_node or "") .. (job.tres_per_socket or "") .. (job.tres_per_task or "") == "" then
      if (job.mem_per_tres or "") ~= "" then
         return "memory by GPU (--mem-per-gpu) is supported on this cluster for jobs with GPUs"
      end
      local uneven = given(job.min_nodes) and given(job.num_tasks) and job.num_tasks % job.min_nodes ~= 0
      if (job.cpus_per_tres or "") ~= "" and uneven then
         return "processors by GPU (--cpus-per-gpu) without GPUs are supported on this cluster for as many tasks on each node"
      end
   end
   for _, text in ipairs({ job.tres_per_job or "", job.tres_per_node or "", job.tres_per_socket or "", job.tres_per_task or "" }) do
      if #text > LONGEST then
         return "generic resources of more than " .. LONGEST .. " characters are not supported on this cluster"
      end
   end
   if job.burst_buffer ~= nil and job.burst_buffer ~= "" then
      return "burst buffers are not supported on this cluster"
   end
   return objection_to_features(job)
end

-- Returns why a component of a heterogeneous job (sbatch ... : ...) cannot be what its user asks for; nil when it can.
local function component_objection(job)
   if job.het_job_offset == nil or job.het_job_offset == slurm.NO_VAL then
      return nil
   end
   if job.het_job_offset >= 64 then
      return "heterogeneous jobs of more than 64 components are not supported on this cluster"
   end
   if string.find(job.features or "", "[", 1, true) and job.max_nodes ~= 1 then
      return "the same feature on all nodes (-C '[a|b]') is not supported on this cluster for a component of several nodes"
   end
   if job.prefer ~= nil and job.prefer ~= "" then
      return "preferred features (--prefer) are not supported on this cluster in a heterogeneous job"
   end
   return nil
end

-- Adds the nodes of a host list such as n[1-3,7],m1 to those found, as long as there is effort left.
local function add_hosts(list, found, effort)
   effort.left = effort.left - #list - 1
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
            found[name] = name ~= "" or nil
         else
            for range in string.gmatch(ranges, "[^,]+") do
               local first, last = string.match(range, "^(%d+)%-(%d+)$")
               first, last = first or range, last or range
               local width, number, to = #first, tonumber(first), tonumber(last)
               if number ~= nil and (to or -1) - number > effort.left then
                  effort.left = 0
               end
               while width < 10 and number ~= nil and number <= (to or -1) and effort.left > 0 do
                  add_hosts(head .. string.format("%0" .. width .. "d", number) .. tail, found, effort)
                  number = number + 1
               end
            end
         end
         from = i + 1
      end
   end
   return found
end

-- Returns the nodes of one of the cluster's own lists.
local function listed(list)
   return add_hosts(list, {}, { left = math.huge })
end

-- What a unit behind a number stands for: 4K and 4KiB are 4096, 4KB are 4000.
local UNITS = { k = 1, m = 2, g = 3, t = 4, p = 5 }

-- Reads a number of generic resources, which may have a unit; nil where it is none.
local function counted(text)
   local number, unit, rest = string.match(string.lower(text), "^(%d+)(%a?)(%a*)$")
   local power = unit == "" and 0 or UNITS[unit]
   if number == nil or power == nil or (rest ~= "" and rest ~= "b" and rest ~= "ib") then
      return nil
   end
   return power == 0 and tonumber(number) or tonumber(number) * (rest == "b" and 1000 or 1024) ^ power
end

-- Reads generic resources, gpu:big:2(S:0),fpga:1, as numbers by name and by name and type.
local function read_gres(text)
   local found = {}
   for item in string.gmatch(tostring(text or ""), "[^,]+") do
      local plain = string.gsub(item, "%b()", "")
      local parts = {}
      for part in string.gmatch(plain, "[^:]+") do
         parts[#parts + 1] = part
      end
      local count = #parts > 1 and counted(parts[#parts]) or nil
      if count ~= nil then
         parts[#parts] = nil
      end
      count = count or 1
      local name = parts[1]
      if name ~= nil then
         found[name] = (found[name] or 0) + count
         if parts[2] ~= nil then
            local typed = name .. ":" .. parts[2]
            found[typed] = (found[typed] or 0) + count
         end
      end
   end
   return found
end

local function read_words(text)
   local found = {}
   for word in string.gmatch(tostring(text or ""), "[^,%s]+") do
      found[word] = true
   end
   return found
end

-- Says whether features are as an expression wants them: a&b, a|b, a&(b|c); [a|b] is taken apart before (alternatives).
local function matches(expression, features)
   local at = 1
   local any
   local function atom()
      if string.match(expression, "^%(", at) then
         at = at + 1
         local result = any()
         at = at + 1
         return result
      end
      local name = string.match(expression, "^[^&|,%(%)]+", at) or ""
      at = at + math.max(1, #name)
      return features[name] == true
   end
   local function all()
      local result = atom()
      while string.match(expression, "^[&,]", at) do
         at = at + 1
         local one = atom()
         result = result and one
      end
      return result
   end
   function any()
      local result = all()
      while string.match(expression, "^|", at) do
         at = at + 1
         local one = all()
         result = result or one
      end
      return result
   end
   return any()
end

-- Reads what a job asks for in the same words: gres:gpu:big:1,gres:fpga. Only the whole word counts, not its parts.
local function read_wish(text)
   local wish = {}
   for item in string.gmatch(text or "", "[^,]+") do
      local word = string.gsub(item, "^gres[:/]", "")
      local name, number = string.match(word, "^(.+)[:=]([^:=]*)$")
      number = number and counted(number)
      if word ~= "none" and word ~= "" then
         wish[number and name or word] = number or 1
      end
   end
   return wish
end

-- Counts the cores of processors such as 0-3,8: with one of its threads all of a core is kept for the system (CpuSpecList).
local function cores_in(list, threads)
   local cores, count = {}, 0
   for range in string.gmatch(tostring(list or ""), "[^,]+") do
      local first, last = string.match(range, "^(%d+)%-?(%d*)$")
      first = tonumber(first)
      for cpu = first or 0, first and math.min(tonumber(last) or first, first + LONGEST) or -1 do
         local core = math.floor(cpu / threads)
         count = count + (cores[core] and 0 or 1)
         cores[core] = true
      end
   end
   return count
end

-- Returns the number of a user by name; nil for one who stands elsewhere than in the file.
local function number_of(user)
   if tonumber(user) ~= nil then
      return tonumber(user)
   end
   local file = io.open("/etc/passwd", "r")
   local number = nil
   for line in file and file:lines() or function() end do
      local name, own = string.match(line, "^([^:]*):[^:]*:(%d+):")
      number = number or (name == user and tonumber(own) or nil)
   end
   if file ~= nil then
      file:close()
   end
   return number
end

-- Files include each other no deeper than this.
local DEEPEST = 8

-- Adds the lines of a file and of those that it includes, without comments, to others; nothing of one that cannot be read. Names of files
-- are relative to the one that includes them, and %c in them is the name of the cluster.
local function add_lines(path, lines, depth)
   local file = depth <= DEEPEST and io.open(path, "r") or nil
   local text = file and file:read("*a") or ""
   if file ~= nil then
      file:close()
   end
   for line in string.gmatch(string.gsub(text, "\\\r?\n", " "), "[^\r\n]+") do
      line = string.gsub(line, "#.*", "")
      local word, other = string.match(line, "^%s*(%a+)%s+([^%s=]%S*)")
      if word ~= nil and string.lower(word) == "include" then
         other = string.gsub(other, "%%c", (string.gsub(string.lower(lines.cluster or ""), "%%", "%%%%")))
         add_lines(string.sub(other, 1, 1) == "/" and other or (string.match(path, "^(.*/)[^/]*$") or "") .. other, lines, depth + 1)
      else
         lines.cluster = string.match(line, "^%s*[Cc][Ll][Uu][Ss][Tt][Ee][Rr][Nn][Aa][Mm][Ee]%s*=%s*(%S+)") or lines.cluster
         lines[#lines + 1] = line
      end
   end
   return lines
end

-- Without SelectType Slurm gives whole nodes up to 23.02 and cores from 23.11 on. A plug-in is not told the version: this word has come
-- with 24.05.
local WHOLE_BY_DEFAULT = slurm.GRES_ALLOW_TASK_SHARING == nil

-- What nodes have (nodes, their number and all features), what comes with GPUs by partition and under "" elsewhere (by_gpu),
-- whether Slurm knows switches, and whether its priorities are made of factors, by the slurm.conf beside this script: Slurm tells a
-- plug-in of partitions alone.
local function read_conf(path)
   local conf = { nodes = {}, count = 0, features = {}, by_gpu = { [""] = {} } }
   local defaults, of_partitions, by_thread, as_written, whole, memory = {}, {}, false, false, WHOLE_BY_DEFAULT, nil
   for _, line in ipairs(add_lines(path, {}, 1)) do
      local key, value = string.match(string.lower(line), "^%s*(%w+)%s*=%s*(%S+)")
      if key == "selecttypeparameters" then
         by_thread = string.find(value, "cr_cpu", 1, true) ~= nil
         conf.one_task = string.find(value, "cr_one_task_per_core", 1, true) ~= nil
         memory = string.find(value, "memory", 1, true) ~= nil
      elseif key == "selecttype" then
         whole = string.find(value, "linear", 1, true) ~= nil
      elseif key == "allowspecresourcesusage" then
         conf.spared = string.find(value, "^[yut1]") ~= nil
      elseif key == "slurmdparameters" then
         as_written = string.find(value, "config_overrides", 1, true) ~= nil
      elseif key == "slurmuser" then
         conf.slurm_user = number_of(string.match(line, "=%s*(%S+)"))
      elseif key == "schedulerparameters" then
         conf.switch_wait = tonumber(string.match(value, "max_switch_wait=(%d+)"))
      elseif key == "prioritytype" then
         conf.factors = string.find(value, "multifactor", 1, true) ~= nil
      elseif key == "topologyplugin" then
         conf.switches = string.find(value, "tree", 1, true) ~= nil
      elseif key == "maxmempercpu" or key == "maxmempernode" then
         conf[key] = tonumber(value)
      elseif key == "defcpupergpu" or key == "defmempergpu" then
         conf.by_gpu[""][key] = tonumber(value)
      elseif key == "partitionname" then
         local own = setmetatable({}, { __index = of_partitions })
         for name, number in string.gmatch(string.lower(line), "(def%w+pergpu)%s*=%s*(%d+)") do
            own[name] = tonumber(number)
         end
         local name = string.match(line, "=%s*(%S+)")
         if string.upper(name) == "DEFAULT" then
            of_partitions = own
         else
            conf.by_gpu[name] = own
         end
      elseif key == "nodename" then
         local has = setmetatable({}, { __index = defaults })
         for name, value in string.gmatch(line, "(%w+)%s*=%s*(%S+)") do
            has[string.lower(name)] = tonumber(value) or value
         end
         if string.upper(has.nodename) == "DEFAULT" then
            defaults = has
         else
            local socket = (has.corespersocket or 1) * (has.threadspercore or 1)
            local sockets = has.sockets
            if sockets == nil and (has.boards ~= nil or has.socketsperboard ~= nil) then
               sockets = (has.boards or 1) * (has.socketsperboard or 1)
            end
            local written_sockets = sockets
            sockets = sockets or math.max(1, math.floor((has.cpus or has.procs or 0) / socket))
            local cpus = has.cpus or has.procs or sockets * socket
            -- Where fewer processors are configured than there are threads, they are cores.
            local threads = cpus == sockets * socket and has.threadspercore or 1
            local described = {
               cpus = math.max(1, cpus - math.max(has.corespeccount or 0, cores_in(has.cpuspeclist, threads)) * threads),
               all_cpus = cpus,
               threads = threads,
               written_threads = has.threadspercore,
               socket = socket,
               sockets = sockets,
               written_sockets = written_sockets,
               written_cores = has.corespersocket,
               memory = has.realmemory and has.realmemory - (has.memspeclimit or 0),
               disk = has.tmpdisk or 0,
               gres = read_gres(has.gres),
               features = read_words(has.features or has.feature),
            }
            -- What is found of one of them holds for all of the line.
            for name in pairs(listed(tostring(has.nodename))) do
               conf.nodes[name] = described
               conf.count = conf.count + 1
            end
            for name in pairs(described.features) do
               conf.features[name] = true
            end
         end
      end
   end
   -- What Slurm counts where nothing is written.
   conf.uncounted = memory == false or (memory == nil and whole)
   for _, has in pairs(conf.nodes) do
      -- Of whole nodes no cores are kept for the system.
      has.cpus = whole and has.all_cpus or has.cpus
      has.unit = by_thread and 1 or has.threads
      -- Where nothing is written, a node may have more than one unless slurm.conf holds whatever it has.
      has.most_threads = has.written_threads or as_written and 1 or math.huge
      has.most_sockets = has.written_sockets or as_written and has.sockets or math.huge
      has.most_cores = has.written_cores or as_written and 1 or math.huge
   end
   return conf
end

local CONF = (os.getenv("SLURM_CONF") or string.match(debug.getinfo(1, "S").source, "^@(.*/)[^/]*$") or "/etc/slurm/")
if string.sub(CONF, -1) == "/" then
   CONF = CONF .. "slurm.conf"
end
local conf, conf_read = {}, 0

local function conf_now()
   if os.time() - conf_read > 60 then
      local fine, result = pcall(read_conf, CONF)
      if not fine then
         slurm.log_error("%s was not understood: %s", CONF, tostring(result))
      end
      conf, conf_read = fine and result or { nodes = {}, count = 0, features = {}, by_gpu = {} }, os.time()
   end
   return conf
end

-- Says whether it is root or SlurmUser, as whom the connector runs.
local function is_root(uid)
   return uid == 0 or uid == conf_now().slurm_user
end

local function nodes_now()
   return conf_now().nodes
end

-- Hosts by list, for every submission asks for the same few.
local hosts_of = {}

local function hosts(list)
   list = list or ""
   hosts_of[list] = hosts_of[list] or listed(list)
   return hosts_of[list]
end

-- Returns the nodes of a list that a user wrote; nil for one that takes more effort than several of all nodes would.
local function asked_hosts(list)
   if (list or "") == "" then
      return {}
   end
   local effort = { left = LONGEST + 64 * conf_now().count }
   local found = #list < effort.left and add_hosts(list, {}, effort) or nil
   return effort.left > 0 and found or nil
end

local function has_all(gres, wish)
   for name, count in pairs(wish) do
      if (gres[name] or 0) < count then
         return false
      end
   end
   return true
end

-- Returns the processors of a node that a task keeps from others: all of its cores where it uses one thread of each, or shares none.
local function kept(has, want)
   if want.one_thread then
      return want.task * has.threads
   end
   return want.cores_apart and math.ceil(want.task / has.threads) * has.threads or want.task
end

-- Returns how many of a node's processors the jobs of a partition may have together (MaxCPUsPerNode).
local function processors_of(has, most)
   return math.min(has.cpus, most)
end

-- Returns how many of a node's processors a job keeps from itself for the system (--core-spec, --thread-spec), in whole cores.
local function spared_of(has, spared)
   return math.max(spared.core or 0, math.ceil((spared.thread or 0) / has.threads)) * has.threads
end

local function most_processors(partition)
   return given(partition.max_cpus_per_node) and partition.max_cpus_per_node or math.huge
end

-- Returns the most memory of a processor and of a node in a partition (MaxMemPerCPU, MaxMemPerNode); 0 for none.
local function most_memory(partition)
   local by_cpu = given(partition.max_mem_per_cpu) and partition.max_mem_per_cpu or 0
   local by_node = given(partition.max_mem_per_node) and partition.max_mem_per_node or 0
   if by_cpu == 0 and by_node == 0 then
      return conf_now().maxmempercpu or 0, conf_now().maxmempernode or 0
   end
   return by_cpu, by_node
end

-- Says in words how much of a node a partition gives; nothing where it gives all.
local function limits_of(partition)
   local by_cpu, by_node = most_memory(partition)
   local words = ""
   for _, limit in ipairs({ { "MaxCPUsPerNode", most_processors(partition) }, { "MaxMemPerCPU", by_cpu }, { "MaxMemPerNode", by_node } }) do
      if limit[2] > 0 and limit[2] < slurm.NO_VAL then
         words = words .. string.format(" (%s=%d)", limit[1], limit[2])
      end
   end
   return words
end

-- Says whether a node has what is asked for on each; one that nobody describes may have anything.
local function fits(has, want)
   if has == nil then
      return true
   end
   local known = want.fitting[has]
   if known ~= nil then
      return known
   end
   local cpus = math.max(want.cpus, want.together * kept(has, want))
   -- A job that has its nodes for itself has memory for all of their processors, others for those of their cores.
   local counted = want.whole and has.cpus or math.ceil(cpus / has.unit) * has.unit
   local all = has.memory or 0
   local spared = spared_of(has, want.spared)
   local fine = processors_of(has, want.most_cpus) >= (want.whole and has.cpus or cpus) and has.cpus - spared >= cpus
      and has.socket >= want.socket and has.most_threads >= want.threads
      and has.most_sockets >= want.sockets and has.most_cores >= want.cores
      and want.together <= want.per_socket * has.sockets and has.disk >= want.disk
      and (has.memory == nil or has.memory >= math.max(want.memory, want.memory_per_cpu * counted))
      and want.most_memory >= math.max(want.memory, want.memory_per_cpu * (want.whole and has.cpus or cpus), want.all_memory and all or 0)
      and (not want.all_memory or all <= want.most_memory_per_cpu * has.cpus)
      and has_all(has.gres, want.gres) and (want.features == nil or matches(want.features, has.features))
   want.fitting[has] = fine
   return fine
end

-- Returns how many GPUs, of whatever type, are among what is asked for.
local function gpus(wish)
   local sum = 0
   for name, number in pairs(wish) do
      if name == "gpu" or string.sub(name, 1, 4) == "gpu:" then
         sum = sum + number
      end
   end
   return sum
end

-- Returns what is asked for of each node: what is asked for of a socket (--gpus-per-socket) comes from each that the node has to have.
local function of_each_node(job)
   local wish = read_wish(job.tres_per_node)
   local sockets = given_short(job.sockets_per_node) and job.sockets_per_node or 1
   for name, number in pairs(read_wish(job.tres_per_socket)) do
      wish[name] = math.max(wish[name] or 0, number * sockets)
   end
   return wish
end

-- Returns what is asked for in the whole job: of tasks by GPU (--ntasks-per-gpu) alone Slurm counts the GPUs later.
local function of_whole_job(job)
   local whole = read_wish(job.tres_per_job)
   if given_short(job.ntasks_per_tres) and given(job.num_tasks) and gpus(whole) + gpus(of_each_node(job)) == 0 then
      whole.gpu = math.ceil(job.num_tasks / job.ntasks_per_tres)
   end
   return whole
end

-- Returns why the nodes of a job cannot be those of one switch (--switches=1); nil when they can. Of more than one switch Slurm makes
-- any number.
local function objection_to_switches(job)
   if job.req_switch ~= 1 or not conf_now().switches then
      return nil
   end
   if job.het_job_offset ~= nil and job.het_job_offset ~= slurm.NO_VAL then
      return "nodes of one switch (--switches) are not supported on this cluster in a heterogeneous job"
   end
   if string.find(job.features or "", "[", 1, true) then
      return "nodes of one switch (--switches) with the same feature on all of them (-C '[a|b]') are not supported on this cluster"
   end
   return nil
end

-- Returns for how many seconds a job waits for nodes of one switch, which Slurm tells nobody.
local function switch_wait(job)
   local most = conf_now().switch_wait or 300
   return given_now(job.wait4switch) and math.min(job.wait4switch, most) or most
end

-- Returns the features asked for; nil when there are none, or one of them stands nowhere in slurm.conf: then nodes have others
-- than are written there.
local function known_features(expression)
   if expression == nil or expression == "" then
      return nil
   end
   local written = conf_now().features
   for name in string.gmatch(expression, "[^&|,%(%)]+") do
      if not written[name] then
         return nil
      end
   end
   return expression
end

-- Returns how many tasks a node may have where there is a most of them on a socket: Slurm gives whole cores of each socket, as many as
-- these take, and counts the tasks themselves where there are so many on a node.
local function tasks_by_sockets(has, want)
   if want.per_socket == math.huge or want.so_many then
      return want.per_socket * has.sockets
   end
   return math.floor(has.sockets * math.ceil(want.per_socket * want.task / has.threads) * has.threads / want.task)
end

-- Counts the tasks for which a node has room.
local function tasks_on(has, want)
   local cpus = math.min(processors_of(has, want.most_cpus), has.cpus - spared_of(has, want.spared))
   local tasks = math.min(want.tasks, tasks_by_sockets(has, want), math.floor(cpus / kept(has, want)))
   local memory = math.min(has.memory or math.huge, want.most_memory)
   if want.task_memory > 0 and memory < math.huge then
      tasks = math.min(tasks, math.floor(memory / want.task_memory))
   end
   for name, number in pairs(want.by_task) do
      tasks = number > 0 and math.min(tasks, math.floor((has.gres[name] or 0) / number)) or tasks
   end
   return tasks
end

-- Counts the tasks for which the nodes that are named and the largest others that fit have room, no more of them than so many, up to
-- enough.
local function room(partition, want, most, enough)
   local known, rooms, sum, there, others = nodes_now(), {}, 0, 0, most
   for name in pairs(hosts(partition.nodes)) do
      if known[name] == nil then
         return math.huge
      end
      if not want.without[name] and fits(known[name], want) then
         local tasks = tasks_on(known[name], want)
         if want.named[name] then
            there, others = there + tasks, others - 1
         else
            rooms[#rooms + 1] = tasks
         end
         sum = sum + tasks
      end
      if sum >= enough and #rooms <= others then
         return sum
      end
   end
   sum = there
   table.sort(rooms, function(a, b) return a > b end)
   for i = 1, math.min(others, #rooms) do
      sum = sum + rooms[i]
   end
   return sum
end

-- Counts the nodes of a partition that fit and are not left out, up to enough.
local function nodes_with(partition, want, enough)
   local known, count = nodes_now(), 0
   for name in pairs(hosts(partition.nodes)) do
      if not want.without[name] and fits(known[name], want) then
         count = count + 1
         if count >= enough then
            break
         end
      end
   end
   return count
end

-- Returns how many processors the nodes of a partition have for jobs, or enough.
local function processors_in(partition, enough)
   local known, sum = nodes_now(), 0
   for name in pairs(hosts(partition.nodes)) do
      if known[name] == nil then
         return partition.total_cpus or 0
      end
      sum = sum + processors_of(known[name], most_processors(partition))
      if sum >= enough then
         break
      end
   end
   return math.min(sum, partition.total_cpus or 0)
end

-- Returns how many of a generic resource all nodes of a partition have; nil when nobody knows.
local function gres_in(partition, want, name)
   local known, sum = nodes_now(), 0
   for host in pairs(hosts(partition.nodes)) do
      if known[host] == nil then
         return nil
      end
      if not want.without[host] then
         sum = sum + (known[host].gres[name] or 0)
      end
   end
   return sum
end

-- Returns why the nodes that a job names, or leaves out, cannot be had in a partition; nil when they can.
local function objection_to_hosts(partition, want)
   if partition.nodes == nil or partition.nodes == "" then
      return nil
   end
   for name in pairs(want.named) do
      if not hosts(partition.nodes)[name] then
         return "node " .. name .. " was asked for; the partition has it not"
      end
      if want.without[name] then
         return "node " .. name .. " was asked for; the partition has it, but the job leaves it out"
      end
      if not fits(nodes_now()[name], want) then
         return "node " .. name .. " was asked for; the partition has it with too little for this job"
      end
   end
   return nil
end

-- Says whether a quality of service may lift limits of partitions for a job: one that it names, or that its user has by default, but
-- for the one that slurmdbd gives everybody.
local function may_be_lifted(job)
   local by_default = job.default_qos or ""
   return (job.qos or "") ~= "" or (by_default ~= "" and by_default ~= "normal")
end

-- Returns why a partition does not give so few or so many nodes; nil when it does. A quality of service may lift its limits; which one
-- does, nobody knows here. But of a job that says nothing of nodes, Slurm takes them for what it asks for, whatever the quality of
-- service: a step of one task on several nodes ends slurmctld 22.05.
local function objection_to_number(job, partition, least)
   local lifted = may_be_lifted(job)
   if not lifted and given(partition.max_nodes) and least > partition.max_nodes then
      return string.format("%d nodes were asked for; the partition has a limit of %d", least, partition.max_nodes)
   end
   if not lifted and given(partition.min_nodes) and given(job.max_nodes) and job.max_nodes < partition.min_nodes then
      return string.format("no more than %d %s asked for; the partition has a minimum of %d",
         job.max_nodes, job.max_nodes == 1 and "node was" or "nodes were", partition.min_nodes)
   end
   local few = given(partition.min_nodes) and given(job.num_tasks) and job.num_tasks < partition.min_nodes
   if few and (not lifted or not given(job.min_nodes)) then
      return string.format("%d %s asked for; the partition has a minimum of %d nodes",
         job.num_tasks, job.num_tasks == 1 and "task was" or "tasks were", partition.min_nodes)
   end
   return nil
end

-- Returns why tasks by GPU (--ntasks-per-gpu), or with generic resources each, cannot be as many on a node as Slurm counts; nil when
-- they can. On a node with tasks by GPU a job has no more processors than these take.
local function objection_to_tasks(job, on_node, by_task, task)
   if given_short(job.ntasks_per_tres) and given(job.num_tasks) and given(job.min_cpus) then
      local nodes = math.min(job.num_tasks, given(job.max_nodes) and job.max_nodes or math.huge)
      local there = nodes * on_node * job.ntasks_per_tres * task
      if there < job.min_cpus then
         return string.format("%d processors were asked for; the partition has GPUs for %d of them with so many tasks each (--ntasks-per-gpu)",
            job.min_cpus, there)
      end
      if job.num_tasks * task < job.min_cpus then
         return string.format("%d processors (-n) and GPUs for %d of them with so many tasks each (--ntasks-per-gpu) are not supported on"
            .. " this cluster: say how many tasks or how many GPUs", job.min_cpus, job.num_tasks * task)
      end
   end
   if next(by_task) ~= nil and given_short(job.ntasks_per_node) and given(job.num_tasks) and job.num_tasks < job.ntasks_per_node then
      return string.format("%d tasks with generic resources on a node, of %d in all, were asked for; the partition has no such nodes",
         job.ntasks_per_node, job.num_tasks)
   end
   return nil
end

-- Returns why a job could never run in a partition on nodes that are all of the features; nil when it could.
local function impossible_in(job, partition, features, named, without, spared)
   local least = given(job.min_nodes) and job.min_nodes or 1
   if least > (partition.total_nodes or 0) then
      return least .. " nodes were asked for; the partition has " .. (partition.total_nodes or 0)
   end
   local names = 0
   for _ in pairs(named) do
      names = names + 1
   end
   local about_number = objection_to_number(job, partition, math.max(least, names))
   if about_number ~= nil then
      return about_number
   end
   local there = given(job.min_cpus) and processors_in(partition, job.min_cpus) or nil
   if there ~= nil and there < job.min_cpus then
      return job.min_cpus .. " processors were asked for; the partition has " .. there .. limits_of(partition)
   end
   local by_node, by_task, whole = of_each_node(job), read_wish(job.tres_per_task), of_whole_job(job)
   local alone = job.max_nodes == 1 or (not given(job.min_nodes) and (not given(job.num_tasks) or job.num_tasks == 1))
   -- GPUs that are on one node for certain, and the processors and the memory that come with each.
   local together = math.max(gpus(by_node), gpus(by_task), alone and gpus(whole) or 0)
   local cpus_per_gpu, memory_per_gpu = gpus(read_wish(job.cpus_per_tres)), gpus(read_wish(job.mem_per_tres))
   local task = math.max(given_short(job.cpus_per_task) and job.cpus_per_task or 1, gpus(by_task) * cpus_per_gpu)
   local by_cpu, memory_of_node = most_memory(partition)
   local memory_per_cpu, times = given(job.min_mem_per_cpu) and job.min_mem_per_cpu or 0, 1
   if by_cpu > 0 and memory_per_cpu > by_cpu then
      -- Slurm takes the memory of more processors.
      times = math.ceil(memory_per_cpu / by_cpu)
      task, memory_per_cpu = task * times, math.ceil(memory_per_cpu / times)
   end
   if cpus_per_gpu > 0 and gpus(whole) > 0 and task * (given(job.num_tasks) and job.num_tasks or 1) > gpus(whole) * cpus_per_gpu then
      return string.format("%d tasks were asked for; the partition has no %d GPUs with as many processors, %d each, as they need",
         job.num_tasks, gpus(whole), cpus_per_gpu)
   end
   local tasks_by_gpu = given_short(job.ntasks_per_tres) and job.ntasks_per_tres or 0
   cpus_per_gpu = math.max(cpus_per_gpu, tasks_by_gpu * task)
   local about_tasks = objection_to_tasks(job, math.max(gpus(by_node), gpus(whole)), by_task, task)
   if about_tasks ~= nil then
      return about_tasks
   end
   local cpus = task * (not given(job.num_tasks) and given_short(job.ntasks_per_node) and job.ntasks_per_node or 1)
   cpus = math.max(cpus, given_short(job.pn_min_cpus) and job.pn_min_cpus or 1, together * cpus_per_gpu, tasks_by_gpu * task)
   local memory = 0
   if memory_per_gpu > 0 then
      memory = together * memory_per_gpu
   elseif given(job.min_mem_per_node) then
      memory = job.min_mem_per_node
      cpus = by_cpu > 0 and math.max(cpus, math.ceil(memory / by_cpu)) or cpus
   elseif memory_per_cpu > 0 then
      memory = memory_per_cpu * cpus
   end
   local on_node = 1
   if given_short(job.ntasks_per_node) then
      -- Slurm wants a node to have room for so many, however few tasks there are.
      cpus = math.max(cpus, task * job.ntasks_per_node)
      on_node = (not given(job.num_tasks) or job.num_tasks >= job.ntasks_per_node) and job.ntasks_per_node or 1
   end
   if given_short(job.ntasks_per_socket) and not given_short(job.ntasks_per_node) then
      -- And of the tasks of one socket.
      cpus = math.max(cpus, task * job.ntasks_per_socket)
   end
   if shares_processors(job) then
      cpus, on_node = task, 1
   elseif next(spared) ~= nil and given(job.num_tasks) then
      -- Weir places tasks by the processors that nodes have: each node has room for as many as may come there.
      on_node = math.min(job.num_tasks - math.max(least, names) + 1, given_short(job.ntasks_per_node) and job.ntasks_per_node or math.huge)
      cpus = math.max(cpus, task * on_node)
   end
   local want = {
      cpus = cpus,
      task = task,
      together = on_node,
      one_thread = job.threads_per_core == 1,
      threads = given_short(job.threads_per_core) and job.threads_per_core or 1,
      sockets = given_short(job.sockets_per_node) and job.sockets_per_node or 1,
      cores = given_short(job.cores_per_socket) and job.cores_per_socket or 1,
      cores_apart = job.ntasks_per_core == 1 or (conf_now().one_task and not given_short(job.ntasks_per_core)),
      per_socket = given_short(job.ntasks_per_socket) and job.ntasks_per_socket or math.huge,
      so_many = given_short(job.ntasks_per_node),
      whole = job.shared == 0 or partition.max_share == 0,
      memory_per_cpu = memory_per_gpu == 0 and not given(job.min_mem_per_node) and memory_per_cpu or 0,
      most_cpus = most_processors(partition),
      most_memory = memory_of_node > 0 and memory_of_node or math.huge,
      most_memory_per_cpu = by_cpu > 0 and by_cpu or math.huge,
      all_memory = job.min_mem_per_node == 0,
      -- Slurm wants a socket to have a processor for each of its tasks, of however many processors these are.
      socket = given_short(job.ntasks_per_socket) and job.ntasks_per_socket or 1,
      memory = memory,
      disk = given(job.pn_min_tmp_disk) and job.pn_min_tmp_disk or 0,
      gres = by_node,
      features = known_features(features),
      -- Whether nodes of one description fit.
      fitting = {},
      spared = spared,
      tasks = given_short(job.ntasks_per_node) and job.ntasks_per_node or math.huge,
      task_memory = memory_per_gpu == 0 and memory_per_cpu > 0 and memory_per_cpu * task or memory_per_gpu * gpus(by_task),
      by_task = by_task,
      named = named,
      without = without,
   }
   if conf_now().uncounted then
      -- A node has to have as much memory as is asked for, whatever there is of the job besides.
      memory = given(job.min_mem_per_node) and job.min_mem_per_node or given(job.min_mem_per_cpu) and job.min_mem_per_cpu or 0
      want.memory, want.memory_per_cpu, want.task_memory = memory, 0, 0
   end
   for name, count in pairs(by_task) do
      want.gres[name] = math.max(want.gres[name] or 0, count * (given_short(job.ntasks_per_node) and job.ntasks_per_node or 1))
   end
   for name, number in pairs(alone and whole or {}) do
      want.gres[name] = math.max(want.gres[name] or 0, number)
   end
   local about_hosts = objection_to_hosts(partition, want)
   if about_hosts ~= nil then
      return about_hosts
   end
   for name, number in pairs(by_task) do
      whole[name] = math.max(whole[name] or 0, number * (given(job.num_tasks) and job.num_tasks or 1))
   end
   for name, number in pairs(whole) do
      local there = gres_in(partition, want, name)
      if there ~= nil and there < number then
         return string.format("%d %s were asked for; the partition has %d", number, name, there)
      end
   end
   local count = nodes_with(partition, want, least)
   if partition.nodes ~= nil and partition.nodes ~= "" and count < least then
      local what = string.format("%d %s", cpus, cpus == 1 and "processor" or "processors")
      if want.socket > 1 then
         what = what .. string.format(", %d of them in a socket,", want.socket)
      end
      if want.threads > 1 then
         what = what .. string.format(", %d of them in a core,", want.threads)
      end
      if want.sockets > 1 then
         what = what .. string.format(" and %d sockets", want.sockets)
      end
      if want.cores > 1 then
         what = what .. string.format(" and %d cores in a socket", want.cores)
      end
      for kind, number in pairs(spared) do
         what = what .. string.format(" and %d %s%s kept for the system (--%s-spec)", number, kind, number == 1 and "" or "s", kind)
      end
      if memory > 0 then
         what = what .. string.format(" and %d MB of memory", memory)
      end
      if want.disk > 0 then
         what = what .. string.format(" and %d MB of disk", want.disk)
      end
      for name, number in pairs(want.gres) do
         what = what .. string.format(" and %d %s", number, name)
      end
      if want.features ~= nil then
         what = what .. " and feature " .. want.features
      end
      if next(want.without) ~= nil then
         what = what .. " that is not left out"
      end
      local limits = limits_of(partition)
      if limits ~= "" then
         what = what .. (want.all_memory and " and all of its memory" or "") .. (want.whole and " that no other job uses" or "")
      end
      return (least == 1 and "a node with " .. what .. " was asked for; the partition has none"
         or string.format("%d nodes with %s each were asked for; the partition has %d", least, what, count)) .. limits
   end
   -- Tasks that share processors (-O) need no more of them than the job has.
   local tasks = given(job.num_tasks) and job.num_tasks or 1
   if given(job.min_cpus) then
      tasks = math.min(tasks, math.ceil(job.min_cpus * times / task))
   end
   local most = given(job.max_nodes) and job.max_nodes or math.huge
   if given(partition.max_nodes) and partition.max_nodes < (partition.total_nodes or 0) and not may_be_lifted(job) then
      most = math.min(most, partition.max_nodes)
   end
   if partition.nodes ~= nil and partition.nodes ~= "" and room(partition, want, most, tasks) < tasks then
      return (most == math.huge
            and string.format("%d tasks were asked for; the partition has no such nodes with room for all of them", tasks)
         or string.format("%d tasks on no more than %d %s were asked for; the partition has no nodes with room for them",
            tasks, most, most == 1 and "node" or "nodes")) .. limits_of(partition)
   end
   -- A quality of service may lift the partition's limit; which one does, nobody knows here.
   local limit = given(job.time_min) and job.time_min or job.time_limit
   if given(limit) and given(partition.max_time) and limit > partition.max_time and not may_be_lifted(job) then
      return limit == slurm.INFINITE
            and string.format("no time limit was asked for; the partition has one of %d minutes", partition.max_time)
         or string.format("%d minutes were asked for; the partition has a limit of %d", limit, partition.max_time)
   end
   return nil
end

-- Returns what all nodes may have to have: [a|b]&c is a&c or b&c.
local function alternatives(features)
   local before, choice, after = string.match(features or "", "^(.-)%[([^%]]*)%](.*)$")
   if choice == nil then
      return { features or "" }
   end
   local found = {}
   for one in string.gmatch(choice, "[^|]+") do
      found[#found + 1] = before .. one .. after
   end
   return found
end

-- Bits of a reservation's flags by which its jobs may run on other nodes, too (ANY_NODES, FLEX).
local OPEN_RESERVATIONS = { 2 ^ 8, 2 ^ 25 }

-- Returns what a job may have of a partition: of each reservation that it names the nodes that are in it, by the name of that; where
-- one leaves its jobs other nodes, has not begun, so that Slurm does not look at it either, or is not known, the partition itself, by "".
local function places(job, partition)
   if (job.reservation or "") == "" or (partition.nodes or "") == "" then
      return { [""] = partition }
   end
   local found = {}
   for name in string.gmatch(job.reservation, "[^,]+") do
      local reservation = slurm.reservations and slurm.reservations[name]
      local open = reservation == nil or (reservation.node_list or "") == "" or (reservation.start_time or 0) > os.time()
      for _, bit in ipairs(OPEN_RESERVATIONS) do
         open = open or math.floor((reservation.flags or 0) / bit) % 2 == 1
      end
      if open then
         return { [""] = partition }
      end
      local names = {}
      for node in pairs(hosts(reservation.node_list)) do
         if hosts(partition.nodes)[node] then
            names[#names + 1] = node
         end
      end
      table.sort(names)
      found[name] = setmetatable({ nodes = table.concat(names, ","), total_nodes = #names, total_cpus = math.huge }, { __index = partition })
   end
   return found
end

-- Slurm does not look at what a held job asks for: what the cluster could never give would wait for ever. Of several
-- partitions one that could is enough. Features count where the caller says so: nodes may have others by now than those of slurm.conf
-- (scontrol update nodename=... activefeatures=...), which a plug-in is not told.
local function impossible(job, own, spared, by_features)
   local named, without = asked_hosts(job.req_nodes), asked_hosts(job.exc_nodes)
   if named == nil or without == nil then
      return "lists of more nodes (-w, -x) than there are many times over are not supported on this cluster"
   end
   local why = nil
   for _, partition in pairs(own) do
      for reservation, place in pairs(places(job, partition)) do
         for _, features in ipairs(by_features and alternatives(job.features) or { "" }) do
            local objection_here = impossible_in(job, place, features, named, without, spared)
            if objection_here == nil then
               return nil
            end
            why = why or reservation == "" and objection_here
               or string.gsub(objection_here, "the partition has", "the partition has in reservation " .. reservation)
         end
      end
   end
   return why
end

-- Returns what to say of a job with features that no such nodes have together by slurm.conf; nil when nothing.
local function doubt(job, own, spared)
   if (job.features or "") == "" or impossible(job, own, spared, true) == nil then
      return nil
   end
   return "by slurm.conf the partition has no such nodes with features '" .. job.features
      .. "': unless they were given to nodes since, the job waits until they are"
end

-- Bit of a job's flags for --use-min-nodes.
local USE_MIN_NODES = 2 ^ 9

-- Says whether Slurm, too, takes the fewest nodes of a range: on demand, for generic resources that it counts for the whole job, and with
-- processors by GPU of a job without any.
local function takes_fewest(job)
   if (job.cpus_per_tres or "") ~= "" and (job.tres_per_node or "") .. (job.tres_per_socket or "") == "" then
      return true
   end
   return math.floor((job.bitflags or 0) / USE_MIN_NODES) % 2 == 1 or (job.tres_per_job or "") .. (job.tres_per_task or "") ~= ""
end

-- Returns what to say of a component of a heterogeneous job on a range of nodes without a number of tasks, of which Slurm would give as
-- many as are free; nil of others.
local function about_range(job)
   if job.het_job_offset == nil or job.het_job_offset == slurm.NO_VAL or takes_fewest(job) then
      return nil
   end
   if given(job.num_tasks) or not given(job.min_nodes) or not given(job.max_nodes) or job.max_nodes <= job.min_nodes then
      return nil
   end
   return string.format("without a number of tasks (-n) a component gets the fewest nodes of a range on this cluster: %d of -N %d-%d",
      job.min_nodes, job.min_nodes, job.max_nodes)
end

-- Returns the partitions a job may run in.
local function its_own(job, partitions)
   local asked, own = {}, {}
   for name in string.gmatch(job.partition or "", "[^,]+") do
      asked[name] = true
   end
   for name, partition in pairs(partitions) do
      if asked[name] or (next(asked) == nil and partition.flag_default == 1) then
         own[name] = partition
      end
   end
   return own
end

-- A job that is content with less (--time-min) gets no more than its partition allows, and the usual limit where it asks for
-- none: Slurm would give it the least.
local function fit_limit(job, own)
   local name, partition = next(own)
   if partition == nil or next(own, name) ~= nil or not given(job.time_min) then
      return
   end
   if not given(job.time_limit) then
      local usual = given(partition.default_time) and partition.default_time or partition.max_time
      job.time_limit = given(usual) and math.max(job.time_min, usual) or job.time_limit
   elseif given(partition.max_time) and job.time_limit > partition.max_time then
      job.time_limit = math.max(job.time_min, partition.max_time)
   end
end

-- A job of a single partition gets as few nodes at least as that gives (MinNodes).
local function take_fewest(job, own)
   local name, partition = next(own)
   if partition == nil or next(own, name) ~= nil or (job.qos or "") ~= "" or not given(partition.min_nodes) then
      return
   end
   if partition.min_nodes > (given(job.min_nodes) and job.min_nodes or 1) then
      job.min_nodes = partition.min_nodes
   end
end

-- Has a job on the fewest nodes of those that it may have.
local function use_fewest(job)
   if not takes_fewest(job) then
      job.bitflags = (job.bitflags or 0) + USE_MIN_NODES
   end
end

-- And its tasks lie on no more than it gives (MaxNodes): Weir would spread them further. As it asks for no range itself, they lie on as
-- few as have room for them.
local function take_most(job, own)
   local name, partition = next(own)
   if partition == nil or next(own, name) ~= nil or (job.qos or "") ~= "" or not given(partition.max_nodes) then
      return
   end
   local several = given(job.num_tasks) and job.num_tasks > partition.max_nodes and not shares_processors(job)
   if several and partition.max_nodes < (partition.total_nodes or 0) and not given(job.max_nodes) then
      job.max_nodes = partition.max_nodes
      use_fewest(job)
   end
end

-- Says whether tasks follow from the GPUs of the whole job (--gpus --ntasks-per-gpu), or these from the tasks.
local function has_tasks_by_gpu(job)
   return given_short(job.ntasks_per_tres) and given(job.num_tasks) and gpus(of_whole_job(job)) > 0
end

-- GPUs that Slurm counts by tasks (--ntasks-per-gpu), too, come from the fewest nodes of a range. It tells nobody of them, so that the job
-- says so itself.
local function say_fewest(job)
   local range = given(job.max_nodes) and job.max_nodes > (given(job.min_nodes) and job.min_nodes or 1)
   if range and has_tasks_by_gpu(job) then
      use_fewest(job)
   end
end

-- Slurm starts tasks by GPU on nodes that it is told only where each of them has as many. Returns why that cannot be; nil when it can.
local function objection_to_parts(job)
   local nodes = given(job.min_nodes) and job.min_nodes or 0
   if nodes == 0 then
      for _ in pairs(asked_hosts(job.req_nodes) or {}) do
         nodes = nodes + 1
      end
   end
   if nodes > 1 and has_tasks_by_gpu(job) and not (given(job.max_nodes) and job.max_nodes > nodes) and job.num_tasks % nodes ~= 0 then
      return string.format("%d tasks by GPU (--ntasks-per-gpu) on %d nodes, not as many on each, are not supported on this cluster:"
         .. " ask for GPUs of a task (--gpus-per-task)", job.num_tasks, nodes)
   end
   return nil
end

-- Has a job on so many nodes, at least; with tasks by GPU it gets no others, so that each has as many.
local function take_nodes(job, count, own)
   if count > 1 then
      job.min_nodes = count
   end
   for _, partition in pairs(own) do
      if given(partition.min_nodes) and partition.min_nodes > count and (job.qos or "") == "" then
         return
      end
   end
   if has_tasks_by_gpu(job) and job.num_tasks > 1 and not given(job.max_nodes) then
      job.min_nodes, job.max_nodes = count, count
   end
end

-- Generic resources of a whole job (--gpus) of which no node has enough come from as many nodes as it takes, as with Slurm; of
-- each node of these as many, and of tasks by GPU, too, where that can be.
local function spread_resources(job, own)
   local whole = of_whole_job(job)
   if next(whole) == nil or given(job.min_nodes) or (job.req_nodes or "") ~= "" then
      return
   end
   -- Of each node, the fewest there have to be for it to have its share.
   local known, seen, fewest = nodes_now(), {}, {}
   local cpus_per_gpu, memory_per_gpu = gpus(read_wish(job.cpus_per_tres)), gpus(read_wish(job.mem_per_tres))
   if given_short(job.ntasks_per_tres) then
      cpus_per_gpu = math.max(cpus_per_gpu, job.ntasks_per_tres * (given_short(job.cpus_per_task) and job.cpus_per_task or 1))
   end
   local function most(has, resource)
      local count = has.gres[resource] or 0
      if gpus({ [resource] = 1 }) == 1 then
         count = cpus_per_gpu > 0 and math.min(count, math.floor(has.cpus / cpus_per_gpu)) or count
         count = memory_per_gpu > 0 and has.memory ~= nil and math.min(count, math.floor(has.memory / memory_per_gpu)) or count
      end
      return count
   end
   local shares = {}
   local function share(has)
      local nodes = shares[has] or 1
      for resource, number in pairs(shares[has] == nil and whole or {}) do
         nodes = math.max(nodes, most(has, resource) > 0 and math.ceil(number / most(has, resource)) or math.huge)
      end
      shares[has] = nodes
      return nodes
   end
   for _, partition in pairs(own) do
      for name in pairs(hosts(partition.nodes)) do
         local has = not seen[name] and known[name] or nil
         seen[name] = true
         if has ~= nil then
            fewest[#fewest + 1] = share(has)
         end
      end
   end
   table.sort(fewest)
   local enough = nil
   for count, nodes in ipairs(fewest) do
      if nodes <= count then
         enough = enough or count
         if not has_tasks_by_gpu(job) or job.num_tasks % count == 0 then
            take_nodes(job, count, own)
            return
         elseif count > job.num_tasks then
            break
         end
      end
   end
   job.min_nodes = enough or job.min_nodes
end

local function divisor(a, b)
   while b > 0 do
      a, b = b, a % b
   end
   return a
end

-- Generic resources of a whole job that its tasks can not share in equal parts (--gpus=2 -n3) come from one node where one has room for all
-- of it, as with Slurm: elsewhere Weir gives each task a whole one. Returns why neither can be; nil when one can.
local function share_on_one_node(job, own, spared)
   local by_node, parts, least, name = of_each_node(job), job.num_tasks, math.huge, nil
   local min_nodes, max_nodes = job.min_nodes, job.max_nodes
   local said = given(min_nodes) and (min_nodes > 1 or not given(max_nodes)) or max_nodes == 1
      or given_short(job.ntasks_per_node) or given_short(job.ntasks_per_tres)
   if said or not given(parts) or parts == 1 or (job.req_nodes or "") .. (job.tres_per_task or "") ~= "" then
      return nil
   end
   for each, number in pairs(of_whole_job(job)) do
      if by_node[each] == nil and number > 0 then
         parts, name = divisor(parts, number), number < least and each or name
         least = math.min(least, number)
      end
   end
   if name == nil or parts > 1 or least == 1 then
      return nil
   end
   job.min_nodes, job.max_nodes = 1, 1
   if impossible(job, own, spared) == nil then
      return nil
   end
   job.min_nodes, job.max_nodes = min_nodes, max_nodes
   for _, partition in pairs(own) do
      local there = gres_in(partition, { without = asked_hosts(job.exc_nodes) or {} }, name)
      if there == nil or there >= job.num_tasks then
         return nil
      end
   end
   return string.format("%d tasks that share %d %s were asked for; the partition has no node with room for all of them and no %d %s",
      job.num_tasks, least, name, job.num_tasks, name)
end

-- Other generic resources of a whole job are divided among groups of its tasks that lie together, each with as much; among single tasks,
-- which have whole ones then, where there are no such groups. Returns why there is no room for all groups; nil when there may be.
local function objection_to_groups(job, own)
   local by_node, tasks, known = of_each_node(job), job.num_tasks, nodes_now()
   if not given(tasks) or tasks == 1 or (job.req_nodes or "") .. (job.tres_per_task or "") ~= "" or given_short(job.ntasks_per_tres)
      or shares_processors(job) or job.max_nodes == 1 then
      return nil
   end
   local least = given(job.min_nodes) and job.min_nodes or 0
   local groups, fewest, shared, of, even = tasks, math.huge, {}, nil, given(job.max_nodes) and job.max_nodes == least
   for name, number in pairs(of_whole_job(job)) do
      if by_node[name] == nil and number > 0 then
         shared[name], of = number, (of == nil or name < of) and name or of
         groups, fewest, even = divisor(groups, number), math.min(fewest, number), even and number % least == 0
      end
   end
   if of == nil or even or next(own) == nil then
      return nil
   end
   if given_short(job.ntasks_per_node) or (groups == 1 and fewest > 1) or groups < least then
      groups = tasks
   end
   local cpus = tasks / groups * (given_short(job.cpus_per_task) and job.cpus_per_task or 1)
   local without, most = asked_hosts(job.exc_nodes) or {}, 0
   for _, partition in pairs(own) do
      local there = 0
      for host in pairs(hosts(partition.nodes)) do
         local has = known[host]
         if has == nil then
            return nil
         end
         local room = without[host] and 0 or math.floor(has.cpus / cpus)
         for name, number in pairs(shared) do
            room = math.min(room, math.floor((has.gres[name] or 0) / math.ceil(number / groups)))
         end
         there = there + room
      end
      most = math.max(most, there)
   end
   if most >= groups then
      return nil
   end
   return string.format("%d tasks that share %d %s were asked for, which are divided on this cluster: %d times a node with %d %s and %d"
      .. " processor%s; the partition has %d. Ask for those of a node (--gres) or of a task (--gpus-per-task)", tasks, shared[of], of, groups,
      math.ceil(shared[of] / groups), of, cpus, cpus == 1 and "" or "s", most)
end

-- A partition may give whole nodes only (OverSubscribe=EXCLUSIVE), which Slurm tells of a job when it runs.
local function take_whole_nodes(job, own)
   for _, partition in pairs(own) do
      if partition.max_share ~= 0 then
         return
      end
   end
   if next(own) ~= nil then
      job.shared = 0
   end
end

-- What comes with each GPU where the job does not say (DefCpuPerGPU, DefMemPerGPU), which Slurm decides when it starts a job.
local function take_gpu_defaults(job, own)
   local name = next(own)
   local asked = math.max(
      gpus(read_wish(job.tres_per_job)), gpus(of_each_node(job)), gpus(read_wish(job.tres_per_task)))
   if name == nil or next(own, name) ~= nil or asked == 0 then
      return
   end
   local by_gpu = conf_now().by_gpu
   local here, elsewhere = by_gpu[name] or {}, by_gpu[""] or {}
   local cpus, memory = here.defcpupergpu or elsewhere.defcpupergpu, here.defmempergpu or elsewhere.defmempergpu
   if cpus ~= nil and not given_short(job.cpus_per_task) and (job.cpus_per_tres or "") == "" then
      job.cpus_per_tres = string.format("gres:gpu:%d", cpus)
   end
   if memory ~= nil and not given(job.min_mem_per_node) and not given(job.min_mem_per_cpu) and (job.mem_per_tres or "") == "" then
      job.mem_per_tres = string.format("gres:gpu:%d", memory)
   end
end

-- So many seconds a submission may wait for slurmctld's locks.
local LONGEST_SUBMISSION = 5

-- Slurm counts a held job as eligible only when it has a begin time, which has to lie ahead when the job is made, and its
-- accounting leaves out what was cancelled without having been eligible (sacct -S). Weir does not wait for this time. Returns it;
-- nil where the user gave one.
local function be_accounted(job)
   if given(job.begin_time) or (job.dependency ~= nil and job.dependency ~= "") then
      return nil
   end
   job.begin_time = os.time() + LONGEST_SUBMISSION
   return job.begin_time
end

-- The words of cli_filter.lua in front of a comment.
local NO_KILL = "^%[no kill%]%s*"
local KEPT = "^%%[kept %s (%%d+)%%]%%s*"

-- Takes these words away. Returns whether the job is to keep running without a node of its, and how many cores or threads of each node
-- it leaves to the system, which Slurm counts where slurm.conf has it do so.
local function take_words(job)
   local spared = {}
   local comment, no_kill = string.gsub(job.comment or "", NO_KILL, "")
   for _, kind in ipairs({ "core", "thread" }) do
      comment = string.gsub(comment, string.format(KEPT, kind), function(number)
         spared[kind] = conf_now().spared and tonumber(number) or nil
         return ""
      end)
   end
   if comment ~= (job.comment or "") then
      job.comment = comment
   end
   return no_kill > 0, spared
end

-- Writes down what Weir has to know of a job, in a form that the connector reads (AdminNote).
local function note(job, marks)
   if #marks > 0 then
      local before = job.admin_comment
      job.admin_comment = ((before == nil or before == "") and "" or before .. " ")
         .. "[weir," .. table.concat(marks, ",") .. "]"
   end
end

-- Has the command print words, if there are any.
local function tell(words)
   if words ~= nil then
      slurm.log_user("%s", words)
   end
end

-- Says whether a job has a place in Slurm's queue, which Slurm lets nobody but operators give it.
local function is_ranked(job)
   return job.priority ~= nil and job.priority ~= slurm.NO_VAL and job.priority ~= 0
end

-- Returns why a job cannot have a place in Slurm's queue; nil where it wants none.
local function objection_to_rank(job)
   if is_ranked(job) then
      return "a priority of Slurm's (--priority) is not supported on this cluster: submit with --nice=-N, or change the job's"
         .. " priority by weir setspri"
   end
   return nil
end

-- Says whether it is one of Weir's own short-lived jobs, by which a running job gets another node.
local function is_weirs(job, uid)
   return uid == 0 and is_ranked(job) and objection_to_expansion(job) ~= nil
end

local function submit(job, partitions, uid)
   local no_kill, spared = take_words(job)
   if is_weirs(job, uid) then
      return slurm.SUCCESS
   end
   local own = its_own(job, partitions)
   local range = about_range(job)
   local why = objection(job) or objection_to_rank(job) or objection_to_switches(job) or component_objection(job)
   if why == nil then
      take_gpu_defaults(job, own)
      spread_resources(job, own)
      take_fewest(job, own)
      why = impossible(job, own, spared) or share_on_one_node(job, own, spared) or objection_to_parts(job) or objection_to_groups(job, own)
   end
   if why ~= nil then
      slurm.log_user("%s", why)
      return slurm.ERROR
   end
   tell(doubt(job, own, spared))
   tell(range)
   local marks = no_kill and { "nokill=1" } or {}
   for kind, count in pairs(spared) do
      marks[#marks + 1] = kind .. "spec=" .. count
   end
   if job.req_switch == 1 and conf_now().switches then
      marks[#marks + 1] = "oneswitch=" .. switch_wait(job)
   end
   if job.priority == 0 then
      job.comment = marked(job.comment)
   else
      -- The comment of a job that was held, given to another one.
      if is_marked(job.comment) then
         job.comment = unmarked(job.comment)
      end
      local begins = be_accounted(job)
      -- Every job bears a mark or a note, by which the connector knows that this script is in place.
      marks[#marks + 1] = begins and "begin=" .. begins or "waits=1"
   end
   note(job, marks)
   fit_limit(job, own)
   say_fewest(job)
   take_most(job, own)
   take_whole_nodes(job, own)
   job.priority = 0
   poke()
   return slurm.SUCCESS
end

function slurm_job_submit(job, partitions, uid)
   local fine, result = pcall(submit, job, partitions, uid)
   if fine then
      return result
   end
   -- Slurm takes in a job whose plug-in failed, and starts it by itself: this one waits for Weir all the same.
   slurm.log_error("a job of user %d was not understood, and is held: %s", uid, tostring(result))
   job.priority = 0
   poke()
   return slurm.SUCCESS
end

-- Slurm's number for "Requested node configuration is not available": scontrol shows no words of a plug-in's. The log of slurmctld does.
local NOT_AVAILABLE = 2014

-- What a change may have a waiting job ask for: numbers and texts.
local CHANGED_NUMBERS = { "min_nodes", "max_nodes", "min_cpus", "pn_min_tmp_disk", "min_mem_per_node", "min_mem_per_cpu" }
local CHANGED_SHORT_NUMBERS = { "cpus_per_task", "pn_min_cpus" }
local CHANGED_TEXTS = { "features", "req_nodes", "exc_nodes", "partition" }

local CHANGED_RESOURCES = { "tres_per_job", "tres_per_node", "tres_per_socket", "tres_per_task" }

-- Says whether none is left of the generic resources of a waiting job: Slurm takes such a change, and keeps them.
local function takes_resources_away(job, record)
   for _, name in ipairs(CHANGED_RESOURCES) do
      local none = (job[name] or "") ~= "" and (record[name] or "") ~= ""
      for _, count in pairs(none and read_wish(job[name]) or {}) do
         none = none and count == 0
      end
      if none then
         return true
      end
   end
   return false
end

-- Returns why a waiting job cannot be what its user would make of it, by what is changed alone; nil when it can. The number of tasks
-- is none of it, for they may share processors.
local function objection_to_change(job, record, partitions)
   local about_expansion = objection_to_expansion(job)
   if about_expansion ~= nil then
      return about_expansion
   end
   if given_now(job.req_switch) and conf_now().switches and record.job_state == 0 then
      return "the number of switches of a job that waits can not be changed on this cluster: say it at submission (--switches)"
   end
   if record.job_state == 0 and takes_resources_away(job, record) then
      return "the generic resources of a job that waits can not be taken away on this cluster, for Slurm would keep them: submit it anew"
   end
   local asks = false
   for _, name in ipairs(CHANGED_NUMBERS) do
      asks = asks or given(job[name])
   end
   for _, name in ipairs(CHANGED_SHORT_NUMBERS) do
      asks = asks or given_short(job[name])
   end
   for _, name in ipairs(CHANGED_TEXTS) do
      asks = asks or (job[name] or "") ~= ""
   end
   if not asks or record.job_state ~= 0 then
      return nil
   end
   local changed = setmetatable({
      partition = (job.partition or "") ~= "" and job.partition or record.partition,
      qos = (job.qos or "") ~= "" and job.qos or record.qos,
      num_tasks = slurm.NO_VAL,
      max_nodes = given(job.max_nodes) and job.max_nodes or record.max_nodes,
   }, { __index = job })
   return objection_to_features(changed) or impossible(changed, its_own(changed, partitions), {})
end

-- Longer than slurmctld takes from one record of a request to the next, in seconds.
local SAME_REQUEST = 2

-- What was asked for of the record before, and what of that was left to Slurm.
local latest = {}

-- Returns what Slurm calls a request in memory.
local function request_of(job)
   local class = getmetatable(job)
   return class and class._job_desc or job
end

-- Returns the number of the array or the heterogeneous job of which a record is one of several; nil for one of its own.
local function several(record)
   for _, number in ipairs({ record.array_job_id or 0, record.het_job_id or 0 }) do
      if given(number) then
         return number
      end
   end
   return nil
end

-- Slurm hands the same request over for each record of an array or a heterogeneous job, changed as it was for the record before: it
-- becomes what was asked for again.
local function ask_again(job, record)
   local asked = { priority = job.priority, comment = job.comment, admin_comment = job.admin_comment, begin_time = job.begin_time }
   local same = latest.of ~= nil and latest.of == several(record) and latest.request == request_of(job)
      and os.time() - latest.at <= SAME_REQUEST
   local left = latest.left
   if same and job.priority == left.priority and job.comment == left.comment and job.admin_comment == left.admin_comment then
      asked = latest.asked
      if asked.admin_comment ~= job.admin_comment then
         job.admin_comment = asked.admin_comment
      end
      job.priority = asked.priority
      job.begin_time = asked.begin_time
      if asked.comment ~= job.comment then
         job.comment = asked.comment == "" and " " or asked.comment or ""
      end
   end
   return asked
end

local function bare(comment)
   return (string.gsub(string.gsub(unmarked(comment), "^%s+", ""), "%s+$", ""))
end

-- What the connector reads of a comment in another encoding than UTF-8, and writes when it changes the mark in front of it.
local REPLACED = "\239\191\189"

local function ascii(text)
   return (string.gsub(text, "[\128-\255]+", "?"))
end

-- Leaves such a comment as it is behind the mark.
local function keep_encoding(job, record)
   if job.comment ~= nil and string.find(job.comment, REPLACED, 1, true) and ascii(bare(job.comment)) == ascii(bare(record.comment)) then
      job.comment = is_marked(job.comment) and marked(bare(record.comment)) or unmarked(record.comment)
   end
end

-- Whoever changes the comment of a job does not end its user's hold by that; but root, by taking away the mark alone (JobControl).
local function keep_mark(job, record, uid)
   if record.priority ~= 0 or not is_marked(record.comment) or job.comment == nil then
      return
   end
   if not is_root(uid) or is_marked(job.comment) or bare(job.comment) ~= bare(record.comment) then
      job.comment = marked(job.comment)
   end
end

-- Besides its state a job has flags of it from bit 8 on.
local function waits(record)
   return record.job_state % 256 == 0
end

-- The connector notes an administrator's hold, of which Slurm does not tell a plug-in.
local ADMIN_HOLD = "%[weir[^%]]*,adminhold="

local function is_held_by_admin(record)
   return string.find(record.admin_comment or "", ADMIN_HOLD) ~= nil
end

-- Jobs that another than their user asked to hold, which may have been refused: perhaps an administrator's hold that the connector has not
-- noted yet. When there are too many, they are forgotten.
local held_by_others = { jobs = {}, count = 0 }
local MOST_HELD_BY_OTHERS = 10000

local function keep_in_mind(record)
   if record.job_id == nil or held_by_others.jobs[record.job_id] then
      return
   end
   if held_by_others.count >= MOST_HELD_BY_OTHERS then
      held_by_others = { jobs = {}, count = 0 }
   end
   held_by_others.jobs[record.job_id] = true
   held_by_others.count = held_by_others.count + 1
end

-- Says whether a job is perhaps held by an administrator.
local function is_held_by_another(record)
   return record.job_id ~= nil and held_by_others.jobs[record.job_id] == true and is_marked(record.comment)
end

-- Adds or takes away what marks a user's hold. What is released is held for Weir; a number for a priority Slurm refuses. Whoever holds
-- the job of another is a coordinator of its account, whose hold is for Slurm that of the job's user, or an operator, of whose hold
-- Slurm itself knows; then the connector takes the mark away.
local function change_hold(job, record, uid)
   local comment = job.comment or record.comment
   if job.priority == slurm.INFINITE then
      if is_marked(comment) then
         job.comment = unmarked(comment)
      end
      job.priority = waits(record) and slurm.NO_VAL or job.priority
      return
   end
   if job.priority == 0 and uid == record.user_id then
      job.comment = marked(comment)
      -- To hold again what waits would be an administrator's hold where the user is one.
      job.priority = waits(record) and record.priority == 0 and slurm.NO_VAL or 0
   elseif job.priority == 0 and not is_held_by_admin(record) then
      keep_in_mind(record)
      job.comment = marked(comment)
   end
   keep_mark(job, record, uid)
end

-- The note in an administrator's comment.
local NOTE = "%[weir[^%]]*%]"

-- The last state of a job that has not ended: it waits, runs or is suspended.
local LAST_LIVE_STATE = 2

-- Others write there, too (scontrol update AdminComment=...), and would take away what Weir has to know of a job until it ends.
local function keep_note(job, record)
   local text = job.admin_comment
   if text == nil or (record.job_state or 0) % 256 > LAST_LIVE_STATE or string.find(text, NOTE) then
      return
   end
   local kept = string.match(record.admin_comment or "", NOTE)
   if kept ~= nil then
      job.admin_comment = (text == "" and "" or text .. " ") .. kept
   end
end

-- So far ahead a job begins that an operator released, in seconds: the connector sees it, holds the job for Weir, and has it begin as
-- before, which Slurm does not tell a plug-in.
local FAR = 366 * 86400

-- Says whether a request is to end an administrator's hold, or one that may be. Who may Slurm knows: it releases the job or refuses to,
-- but by the time to begin starts nothing by itself.
local function ends_hold_of_admin(job, record)
   return job.priority == slurm.INFINITE and record.priority == 0 and waits(record)
      and (is_held_by_admin(record) or is_held_by_another(record))
end

local function modify(job, record, partitions, uid)
   -- Where priorities are not made of factors, Slurm would take it from priority 0 as from any other, and start by itself what is no
   -- longer held.
   if given_now(job.nice) and record.priority == 0 and not conf_now().factors then
      slurm.log_user("the nice value of a job that waits can not be changed on this cluster: give it when you submit the job (--nice)")
      return slurm.ESLURM_ACCESS_DENIED or slurm.ERROR
   end
   if is_root(uid) then
      keep_encoding(job, record)
      keep_mark(job, record, uid)
      return slurm.SUCCESS
   end
   local fine, why = pcall(objection_to_change, job, record, partitions)
   if not fine then
      slurm.log_error("a change of user %d was not understood: %s", uid, tostring(why))
   elseif why ~= nil then
      slurm.log_user("%s", why)
      slurm.log_info("a change of job %s by user %d is refused: %s", tostring(record.job_id), uid, why)
      return NOT_AVAILABLE
   end
   if ends_hold_of_admin(job, record) then
      job.begin_time = os.time() + FAR
   else
      change_hold(job, record, uid)
   end
   return slurm.SUCCESS
end

function slurm_job_modify(job, record, partitions, uid)
   local asked = ask_again(job, record)
   keep_note(job, record)
   local result = modify(job, record, partitions, uid)
   latest = {
      of = several(record),
      request = request_of(job),
      at = os.time(),
      asked = asked,
      left = { priority = job.priority, comment = job.comment, admin_comment = job.admin_comment },
   }
   return result
end

return slurm.SUCCESS
