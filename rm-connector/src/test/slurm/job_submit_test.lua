-- What job_submit.lua says to jobs on 10,000 nodes, and how many instructions of the Lua machine that takes while slurmctld waits.
--
--   lua5.1 job_submit_test.lua SCRIPT, with SLURM_CONF naming a file that this writes

local MOST = 20000000

local conf = assert(io.open(os.getenv("SLURM_CONF"), "w"))
conf:write([[
SelectTypeParameters=CR_Core_Memory
NodeName=n[1-9990] CPUs=64 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=128000 Feature=ib,fast Gres=gpu:4
NodeName=n[9991-10000] CPUs=64 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=64000 Feature=ib,slow
PartitionName=batch Nodes=ALL Default=YES DefCpuPerGPU=2
]])
conf:close()

local said, logged
slurm = {
   NO_VAL = 4294967294, NO_VAL16 = 65534, NO_VAL64 = 2 ^ 64, INFINITE = 4294967295, SUCCESS = 0, ERROR = -1,
   log_user = function(...) said = string.format(...) end,
   log_error = function(...) logged = string.format(...) end,
}
dofile(arg[1])

local partitions = {
   batch = { name = "batch", nodes = "n[1-10000]", total_nodes = 10000, total_cpus = 640000, flag_default = 1, max_share = 1,
      max_time = slurm.INFINITE },
}

local function submit(asked)
   local job = { priority = slurm.NO_VAL, time_limit = 60, bitflags = 0 }
   for _, name in ipairs({ "num_tasks", "min_nodes", "max_nodes", "min_cpus" }) do
      job[name] = slurm.NO_VAL
   end
   for _, name in ipairs({ "cpus_per_task", "ntasks_per_node", "ntasks_per_core", "ntasks_per_socket", "threads_per_core" }) do
      job[name] = slurm.NO_VAL16
   end
   for name, value in pairs(asked) do
      job[name] = value
   end
   said, logged = nil, nil
   local instructions = 0
   debug.sethook(function()
      instructions = instructions + 1000
      if instructions > MOST then
         debug.sethook()
         error("more than " .. MOST .. " instructions")
      end
   end, "", 1000)
   local result = slurm_job_submit(job, partitions, 1000)
   debug.sethook()
   return result, job
end

local failures = 0
local function check(name, fine)
   if not fine then
      failures = failures + 1
      print(string.format("%s: said %s, logged %s", name, tostring(said), tostring(logged)))
   end
end

local function taken(name, asked)
   local result, job = submit(asked)
   check(name, result == slurm.SUCCESS and job.priority == 0 and logged == nil)
   return job
end

local function refused(name, asked, words)
   local result = submit(asked)
   check(name, result == slurm.ERROR and logged == nil and said ~= nil and string.find(said, words, 1, true) ~= nil)
end

submit({})
taken("one task", {})
taken("tasks on few nodes", { num_tasks = 500, min_cpus = 500, max_nodes = 8 })
taken("tasks on all processors", { num_tasks = 640000, min_cpus = 640000 })
taken("features", { num_tasks = 8, min_cpus = 8, features = "ib&(fast|slow)" })
taken("one feature for all", { min_nodes = 9990, max_nodes = 9990, features = "[slow|fast]" })
taken("nodes left out", { exc_nodes = "n[1-9999]" })
taken("the same expression a hundred times", { features = string.rep("ib&", 300) .. "fast" })
check("GPUs and their processors", taken("GPUs", { tres_per_job = "gres:gpu:4" }).cpus_per_tres == "gres:gpu:2")

refused("too many for one feature", { min_nodes = 9991, max_nodes = 9991, features = "[slow|fast]" }, "asked for; the partition has")
refused("all nodes left out", { exc_nodes = "n[1-10000]" }, "the partition has none")
refused("more nodes left out than there are", { exc_nodes = "n[1-999999999]" }, "(-w, -x)")
refused("nodes of many dimensions", { exc_nodes = string.rep("n[1-9]", 50) }, "(-w, -x)")
refused("a long list", { exc_nodes = string.rep("n[1-9],", 200000) }, "(-w, -x)")
refused("numbers without end", { req_nodes = "n[" .. string.rep("9", 300) .. "-" .. string.rep("9", 301) .. "]" }, "(-w, -x)")
refused("deep features", { features = string.rep("(", 1000) }, "the partition has none")
refused("long features", { features = string.rep("ib&", 40000) }, "on this cluster")
refused("many resources", { tres_per_node = string.rep("gres:gpu:1,", 9000) }, "on this cluster")
refused("processors by GPU without any", { cpus_per_tres = "gres:gpu:2" }, "on this cluster")
refused("more tasks than the nodes named have room for", { num_tasks = 65, min_cpus = 65, req_nodes = "n1" }, "on this cluster")
refused("memory of whole cores", { min_mem_per_cpu = 100000 }, "the partition has none")

-- Slurm would start by itself what its plug-in fails on.
local result, job = submit({ features = {} })
check("a job that cannot be read is held", result == slurm.SUCCESS and job.priority == 0 and logged ~= nil)

-- Slurm would start by itself a job that has a nice value taken from its priority of 0.
local function modify(nice, priority, uid)
   said = nil
   return slurm_job_modify({ nice = nice, priority = slurm.NO_VAL }, { priority = priority }, partitions, uid)
end
check("no other nice value while it waits", modify(2147483658, 0, 1000) ~= slurm.SUCCESS and said ~= nil)
check("nor by root", modify(2147483648, 0, 0) ~= slurm.SUCCESS)
check("another one when it runs", modify(2147483658, 7, 1000) == slurm.SUCCESS)
check("no change of it", modify(slurm.NO_VAL, 0, 1000) == slurm.SUCCESS)

os.exit(failures == 0 and 0 or 1)
