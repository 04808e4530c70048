-- What job_submit.lua says to jobs on 10,000 nodes, and how many instructions of the Lua machine that takes while slurmctld waits.
--
--   lua5.1 job_submit_test.lua SCRIPT, with SLURM_CONF naming a file that this writes

local MOST = 20000000

local conf = assert(io.open(os.getenv("SLURM_CONF"), "w"))
conf:write([[
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
TopologyPlugin=topology/tree
NodeName=n[1-9990] CPUs=64 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=128000 Feature=ib,fast Gres=gpu:4
NodeName=m[1-10] CPUs=4
NodeName=n[9991-10000] CPUs=64 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=64000 Feature=ib,slow
NodeName=k1 CPUs=8 Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=8000 MemSpecLimit=1000 CpuSpecList=0-1,5
PartitionName=few Nodes=m[1-10] MinNodes=2 MaxNodes=3
PartitionName=batch Nodes=n[1-10000] Default=YES DefCpuPerGPU=2
]])
conf:close()

local said, logged
slurm = {
   NO_VAL = 4294967294, NO_VAL16 = 65534, NO_VAL8 = 254, NO_VAL64 = 2 ^ 64, INFINITE = 4294967295, SUCCESS = 0, ERROR = -1,
   log_user = function(...) said = string.format(...) end,
   log_error = function(...) logged = string.format(...) end,
   log_info = function() end,
}
dofile(arg[1])

local partitions = {
   batch = { name = "batch", nodes = "n[1-10000]", total_nodes = 10000, total_cpus = 640000, flag_default = 1, max_share = 1,
      max_time = slurm.INFINITE },
   few = { name = "few", nodes = "m[1-10]", total_nodes = 10, total_cpus = 40, max_share = 1, max_time = slurm.INFINITE,
      min_nodes = 2, max_nodes = 3 },
   part = { name = "part", nodes = "m[1-10]", total_nodes = 10, total_cpus = 40, max_share = 1, max_time = slurm.INFINITE,
      max_cpus_per_node = 2 },
   lean = { name = "lean", nodes = "n[1-2]", total_nodes = 2, total_cpus = 128, max_share = 1, max_time = slurm.INFINITE,
      max_cpus_per_node = slurm.INFINITE, max_mem_per_cpu = 1000 },
   poor = { name = "poor", nodes = "n[1-2]", total_nodes = 2, total_cpus = 128, max_share = 1, max_time = slurm.INFINITE,
      max_mem_per_node = 20000 },
   kept = { name = "kept", nodes = "k1", total_nodes = 1, total_cpus = 8, max_share = 1, max_time = slurm.INFINITE },
}

local function submit(asked)
   local job = { priority = slurm.NO_VAL, time_limit = 60, bitflags = 0 }
   for _, name in ipairs({ "num_tasks", "min_nodes", "max_nodes", "min_cpus" }) do
      job[name] = slurm.NO_VAL
   end
   for _, name in ipairs({ "cpus_per_task", "ntasks_per_node", "ntasks_per_core", "ntasks_per_socket", "threads_per_core",
      "ntasks_per_tres" }) do
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


-- Nodes may have other features by now than in slurm.conf.
local function doubted(name, asked)
   taken(name, asked)
   check(name, said ~= nil and string.find(said, "the job waits until", 1, true) ~= nil)
end
check("a note of a job that begins later", taken("a begin", { begin_time = os.time() + 900 }).admin_comment == "[weir,waits=1]")
check("a mark of a held job", taken("a hold", { priority = 0 }).comment == "[held by user]")
taken("a range of nodes of a component", { het_job_offset = 1, min_nodes = 2, max_nodes = 4 })
check("the fewest of a range for a component",
   said == "without a number of tasks (-n) a component gets the fewest nodes of a range on this cluster: 2 of -N 2-4")
for name, asked in pairs({
   ["a range of nodes"] = { min_nodes = 2, max_nodes = 4 },
   ["no range"] = { het_job_offset = 0, min_nodes = 2, max_nodes = 2 },
   ["no most nodes"] = { min_nodes = 2 },
   ["the fewest nodes on demand"] = { het_job_offset = 0, min_nodes = 2, max_nodes = 4, bitflags = 2 ^ 9 },
   ["the fewest nodes for GPUs of the job"] = { min_nodes = 2, max_nodes = 4, tres_per_job = "gres:gpu:2" },
   ["tasks on a range"] = { het_job_offset = 0, num_tasks = 4, min_cpus = 4, min_nodes = 2, max_nodes = 4 },
}) do
   taken(name, asked)
   check("no words about " .. name, said == nil)
end
refused("a priority that an operator gives", { priority = 100 }, "a priority of Slurm's (--priority) is not supported")
local function by_root(dependency)
   local job = { priority = 100, dependency = dependency, bitflags = 0 }
   return slurm_job_submit(job, partitions, 0), job.priority
end
check("none that root gives", by_root(nil) == slurm.ERROR)
local result, priority = by_root("expand:7")
check("a job of Weir's, by which another grows", result == slurm.SUCCESS and priority == 100)
doubted("too many for one feature", { min_nodes = 9991, max_nodes = 9991, features = "[slow|fast]" })
doubted("features that no node has together", { features = "fast&slow" })
doubted("a node without the feature", { req_nodes = "n1", features = "slow" })
doubted("deep features", { features = string.rep("(", 1000) })
taken("a node with the feature", { req_nodes = "n1", features = "fast" })
check("no words about a node with the feature", said == nil)
refused("a job of scrontab", { cron_job = true }, "scrontab")
taken("another batch job", { cron_job = false })
refused("the expansion of another job", { dependency = "expand:12" }, "(-d expand)")
taken("a dependency", { dependency = "afterok:12" })
refused("too many nodes, whatever their features", { min_nodes = 10001, max_nodes = 10001, features = "fast" }, "the partition has 10000")

refused("all nodes left out", { exc_nodes = "n[1-10000]" }, "the partition has none")
refused("more nodes left out than there are", { exc_nodes = "n[1-999999999]" }, "(-w, -x)")
refused("nodes of many dimensions", { exc_nodes = string.rep("n[1-9]", 50) }, "(-w, -x)")
refused("a long list", { exc_nodes = string.rep("n[1-9],", 200000) }, "(-w, -x)")
refused("numbers without end", { req_nodes = "n[" .. string.rep("9", 300) .. "-" .. string.rep("9", 301) .. "]" }, "(-w, -x)")
refused("long features", { features = string.rep("ib&", 40000) }, "on this cluster")
taken("GPUs of sockets", { tres_per_socket = "gres:gpu:2", sockets_per_node = 2 })
refused("more GPUs of its sockets than a node has", { tres_per_socket = "gres:gpu:3", sockets_per_node = 2 }, "6 gpu was asked for")
taken("processors by GPU of sockets", { tres_per_socket = "gres:gpu:1", sockets_per_node = 1, cpus_per_tres = "gres:gpu:2" })
refused("many resources", { tres_per_node = string.rep("gres:gpu:1,", 9000) }, "on this cluster")
refused("memory by GPU without any", { mem_per_tres = "gres:gpu:200" }, "on this cluster")
taken("processors by GPU without any", { cpus_per_tres = "gres:gpu:2" })
refused("processors by GPU without any, of tasks that are not as many on each node",
   { cpus_per_tres = "gres:gpu:2", num_tasks = 4, min_cpus = 4, min_nodes = 3, max_nodes = 3 }, "as many tasks on each node")
taken("more tasks than the nodes named have room for", { num_tasks = 65, min_cpus = 65, req_nodes = "n1" })
refused("the same on these nodes alone", { num_tasks = 65, min_cpus = 65, req_nodes = "n1", min_nodes = 1, max_nodes = 1 }, "on no more than 1 node were")
refused("memory of whole cores", { min_mem_per_cpu = 100000 }, "the partition has none")

-- A partition gives so many nodes.
check("as few nodes at least", taken("one task on few", { partition = "few" }).min_nodes == 2)
refused("one task asked for", { partition = "few", num_tasks = 1, min_cpus = 1 }, "1 task was asked for; the partition has a minimum of 2 nodes")
refused("one task by a quality of service", { partition = "few", num_tasks = 1, min_cpus = 1, qos = "large" }, "1 task was asked for; the partition has a minimum of 2 nodes")
taken("one task on one node by a quality of service", { partition = "few", num_tasks = 1, min_cpus = 1, min_nodes = 1, max_nodes = 1, qos = "large" })
taken("tasks that share processors on a partition with a minimum", { partition = "few", num_tasks = 20, min_cpus = 2, min_nodes = 2, max_nodes = 2 })
check("as many nodes at most", taken("tasks on few", { partition = "few", num_tasks = 12, min_cpus = 12 }).max_nodes == 3)
check("but no more than it takes", taken("tasks on few", { partition = "few", num_tasks = 12, min_cpus = 12 }).bitflags == 2 ^ 9)
check("few tasks", taken("few tasks on few", { partition = "few", num_tasks = 3, min_cpus = 3 }).max_nodes == slurm.NO_VAL)
taken("a quality of service may lift its limits", { partition = "few", min_nodes = 4, max_nodes = 4, qos = "large" })
taken("so may the one that its user has by default", { partition = "few", min_nodes = 4, max_nodes = 4, default_qos = "large" })
refused("but not the one of everybody", { partition = "few", min_nodes = 4, max_nodes = 4, default_qos = "normal" },
   "4 nodes were asked for; the partition has a limit of 3")
taken("one of two partitions gives as many", { partition = "few,batch", min_nodes = 4, max_nodes = 4 })
refused("more nodes than it gives", { partition = "few", min_nodes = 4, max_nodes = 4 }, "4 nodes were asked for; the partition has a limit of 3")
refused("more named", { partition = "few", req_nodes = "m[1-4]" }, "4 nodes were asked for; the partition has a limit of 3")
refused("fewer nodes than it gives", { partition = "few", min_nodes = 1, max_nodes = 1 }, "no more than 1 node was asked for; the partition")
refused("tasks for more nodes than it gives", { partition = "few", num_tasks = 13, min_cpus = 13 }, "asked for; the partition has")

-- Contiguous nodes.
taken("contiguous nodes", { contiguous = 1, min_nodes = 2, max_nodes = 2 })
refused("contiguous nodes of a component", { contiguous = 1, het_job_offset = 1 }, "(--contiguous)")

-- Nodes besides those named.
taken("a range beyond those named", { req_nodes = "n[1-2]", min_nodes = 2, max_nodes = 4, num_tasks = 4 })
taken("a range beyond those named, without tasks", { req_nodes = "n[1-2]", min_nodes = 2, max_nodes = 4 })
taken("another besides the one named", { req_nodes = "n1", min_nodes = 2, max_nodes = 2 })
taken("others besides those named, with two tasks on each", { req_nodes = "n[1-2]", min_nodes = 4, max_nodes = 4, num_tasks = 8, ntasks_per_node = 2 })
taken("others besides those named, with some tasks on each", { req_nodes = "n1", min_nodes = 2, max_nodes = 2, num_tasks = 5 })
taken("at least as many others", { req_nodes = "n1", min_nodes = 2, num_tasks = 2 })
taken("others with the same feature", { req_nodes = "n1", min_nodes = 2, max_nodes = 2, features = "[fast|slow]" })
taken("others of a component", { req_nodes = "n1", min_nodes = 2, max_nodes = 2, het_job_offset = 1 })
refused("tasks for more nodes than the partition gives besides those named", { partition = "few", req_nodes = "m1", num_tasks = 13, min_cpus = 13 }, "asked for; the partition has")
check("others, as many at most as the partition gives", taken("tasks on few besides one named", { partition = "few", req_nodes = "m1", num_tasks = 12, min_cpus = 12 }).max_nodes == 3)
refused("others where none is left", { req_nodes = "m1", min_nodes = 2, max_nodes = 2, partition = "few", exc_nodes = "m[2-9999]" }, "that is not left out")
taken("a range beyond those named, of which few tasks have no use", { req_nodes = "n1", min_nodes = 1, max_nodes = 4, num_tasks = 1 })

-- Tasks that share processors.
taken("tasks that share a processor", { num_tasks = 20, min_cpus = 1 })
refused("the same on a range of nodes", { num_tasks = 20, min_cpus = 1, min_nodes = 1, max_nodes = 4 }, "(-O)")
refused("the same, so many on a node", { num_tasks = 20, min_cpus = 1, ntasks_per_node = 5 }, "(-O)")
taken("tasks that follow from GPUs", { num_tasks = 2, min_cpus = 1, tres_per_job = "gres:gpu:2", tres_per_task = "gres:gpu:1" })
refused("the same with a GPU each", { num_tasks = 3, min_cpus = 1, tres_per_task = "gres:gpu:1" }, "(-O)")

-- Tasks by GPU. Without -n there are as many as the GPUs have; with -n and GPUs that says how many processors the job has.
taken("tasks by GPU", { num_tasks = 2, min_cpus = 1, ntasks_per_tres = 2, tres_per_job = "gres:gpu:1" })
taken("the same on a range of nodes", { num_tasks = 4, min_cpus = 1, ntasks_per_tres = 2, tres_per_job = "gres:gpu:2", min_nodes = 1, max_nodes = 2 })
refused("more than the tasks of the GPUs take, which Slurm has on more nodes",
   { num_tasks = 2, min_cpus = 4, ntasks_per_tres = 2, tres_per_node = "gres:gpu:1" }, "say how many tasks or how many GPUs")
taken("as many with several processors each", { num_tasks = 2, min_cpus = 4, cpus_per_task = 2, ntasks_per_tres = 2, tres_per_node = "gres:gpu:1" })
refused("more than the GPU of a node has", { num_tasks = 1, min_cpus = 2, ntasks_per_tres = 1, tres_per_node = "gres:gpu:1" }, "2 processors were asked for; the partition has GPUs for 1")
refused("more than the GPUs of two nodes have",
   { num_tasks = 2, min_cpus = 4, ntasks_per_tres = 1, tres_per_node = "gres:gpu:1", min_nodes = 2, max_nodes = 2 }, "the partition has GPUs for 2")
refused("more than the GPU of the job has", { num_tasks = 1, min_cpus = 2, ntasks_per_tres = 1, tres_per_job = "gres:gpu:1" }, "GPUs for 1")
refused("more than a node has processors for", { num_tasks = 65, min_cpus = 65, ntasks_per_tres = 65, tres_per_node = "gres:gpu:1" }, "65 processors")
refused("more GPUs for them than there are", { num_tasks = 39961, min_cpus = 39961, ntasks_per_tres = 1 }, "39961 gpu were asked for; the partition has 39960")
check("GPUs for them on as many nodes as it takes", taken("tasks by GPU alone", { num_tasks = 6, min_cpus = 6, ntasks_per_tres = 1 }).min_nodes == 2)
local function parts(name, nodes, asked)
   local job = taken(name, asked)
   check(name, job.min_nodes == nodes and job.max_nodes == nodes)
end
refused("more processors than the tasks of the job's GPUs take",
   { num_tasks = 2, min_cpus = 4, ntasks_per_tres = 1, tres_per_job = "gres:gpu:2" }, "GPUs for 2 of them")
parts("GPUs on a single node, and so their tasks", 1, { num_tasks = 3, min_cpus = 3, ntasks_per_tres = 1, tres_per_job = "gres:gpu:3" })
parts("as many on each of two nodes", 2, { num_tasks = 16, min_cpus = 1, ntasks_per_tres = 2, tres_per_job = "gres:gpu:8" })
parts("as many on each of more nodes than it takes", 3, { num_tasks = 9, min_cpus = 9, ntasks_per_tres = 1, tres_per_job = "gres:gpu:9" })
parts("fewer GPUs of each than there are", 5, { num_tasks = 5, min_cpus = 5, ntasks_per_tres = 1, tres_per_job = "gres:gpu:5" })
check("the fewest nodes of a range for tasks by GPU", taken("tasks by GPU on a range",
   { num_tasks = 4, min_cpus = 4, ntasks_per_tres = 1, min_nodes = 1, max_nodes = 2 }).bitflags == 2 ^ 9)
check("no word of them for a number of nodes", taken("tasks by GPU on two nodes",
   { num_tasks = 4, min_cpus = 4, ntasks_per_tres = 1, min_nodes = 2, max_nodes = 2 }).bitflags == 0)
refused("not as many on each node",
   { num_tasks = 5, min_cpus = 5, ntasks_per_tres = 1, tres_per_job = "gres:gpu:5", min_nodes = 2, max_nodes = 2 }, "5 tasks by GPU")
refused("the same on nodes that are named",
   { num_tasks = 3, min_cpus = 3, ntasks_per_tres = 1, tres_per_job = "gres:gpu:3", req_nodes = "n[1-2]" }, "3 tasks by GPU")
parts("GPUs that three tasks share", 1, { num_tasks = 3, min_cpus = 3, tres_per_job = "gres:gpu:2" })
parts("the same on a range of nodes", 1, { num_tasks = 3, min_cpus = 3, min_nodes = 1, max_nodes = 2, tres_per_job = "gres:gpu:2" })
check("a range of nodes on which no node has room for the tasks", taken("wide tasks on a range",
   { partition = "lean", num_tasks = 7, min_cpus = 112, cpus_per_task = 16, min_nodes = 1, max_nodes = 2, tres_per_job = "gres:gpu:2" }).max_nodes == 2)
check("the same where no node has room for the tasks", taken("wide tasks that share GPUs",
   { partition = "lean", num_tasks = 7, min_cpus = 112, cpus_per_task = 16, tres_per_job = "gres:gpu:2" }).max_nodes == slurm.NO_VAL)
check("GPUs that tasks share in equal parts",
   taken("four tasks", { num_tasks = 4, min_cpus = 4, tres_per_job = "gres:gpu:2" }).max_nodes == slurm.NO_VAL)
refused("more tasks that share GPUs than there are GPUs",
   { partition = "lean", num_tasks = 65, min_cpus = 65, tres_per_job = "gres:gpu:2" }, "65 tasks that share 2 gpu")
refused("tasks that share a GPU and have no room on one node", { partition = "lean", num_tasks = 65, min_cpus = 65, tres_per_job = "gres:gpu:1" },
   "65 tasks that share 1 gpu were asked for, which are divided on this cluster: 1 times a node with 1 gpu and 65 processors; the partition has 0.")
taken("tasks that share a GPU on one node", { partition = "lean", num_tasks = 64, min_cpus = 64, tres_per_job = "gres:gpu:1" })
taken("pairs of tasks that share a GPU", { num_tasks = 8, min_cpus = 8, tres_per_job = "gres:gpu:4" })
refused("more GPUs on one node than one has", { num_tasks = 2, min_cpus = 2, min_nodes = 1, max_nodes = 1, tres_per_job = "gres:gpu:5" },
   "5 gpu was asked for; the partition has none")
check("GPUs without tasks of theirs", taken("five GPUs", { num_tasks = 5, min_cpus = 5, tres_per_job = "gres:gpu:5" }).max_nodes == slurm.NO_VAL)
refused("more on a node than it has GPUs for", { num_tasks = 5, min_cpus = 5, ntasks_per_node = 5, tres_per_task = "gres:gpu:1" }, "5 gpu was asked for")
refused("more on a node than there are", { num_tasks = 1, min_cpus = 1, ntasks_per_node = 2, tres_per_task = "gres:gpu:1" }, "of 1 in all")

-- What is kept for the system.
taken("what is left", { partition = "kept", num_tasks = 4, min_cpus = 4, min_mem_per_node = 7000 })
refused("cores that are kept", { partition = "kept", num_tasks = 5, min_cpus = 5 }, "the partition has 4")
refused("memory that is kept", { partition = "kept", min_mem_per_node = 7500 }, "7500 MB of memory was asked for; the partition has none")

-- What a partition gives of each node.
taken("as many processors of a node as it gives", { partition = "part", num_tasks = 20, min_cpus = 20 })
taken("in one task", { partition = "part", cpus_per_task = 2 })
refused("more processors of a node", { partition = "part", cpus_per_task = 3 }, "a node with 3 processors was asked for; the partition has none (MaxCPUsPerNode=2)")
refused("more tasks on a node", { partition = "part", num_tasks = 3, min_cpus = 3, min_nodes = 1, max_nodes = 1 }, "(MaxCPUsPerNode=2)")
refused("more processors than of all of them", { partition = "part", num_tasks = 21, min_cpus = 21 }, "the partition has 20 (MaxCPUsPerNode=2)")
refused("whole nodes", { partition = "part", shared = 0 }, "that no other job uses was asked for; the partition has none (MaxCPUsPerNode=2)")
taken("the same where another partition has them", { partition = "part,batch", cpus_per_task = 3 })
taken("memory of more processors", { partition = "lean", min_mem_per_cpu = 64000 })
refused("of more than a node has", { partition = "lean", min_mem_per_cpu = 65000 }, "a node with 65 processors and 65000 MB of memory")
taken("the same of a node", { partition = "lean", min_mem_per_node = 64000 })
refused("of more than there are", { partition = "lean", min_mem_per_node = 65000 }, "(MaxMemPerCPU=1000)")
taken("tasks with memory of more processors", { partition = "lean", num_tasks = 64, min_cpus = 64, min_mem_per_cpu = 1500 })
refused("the same on one node",
   { partition = "lean", num_tasks = 64, min_cpus = 64, min_nodes = 1, max_nodes = 1, min_mem_per_cpu = 1500 }, "64 tasks on no more than 1 node")
refused("all memory of a node", { partition = "lean", min_mem_per_node = 0 }, "and all of its memory was asked for; the partition has none")
taken("memory of a node", { partition = "poor", min_mem_per_node = 20000 })
refused("more of it", { partition = "poor", min_mem_per_node = 20001 }, "(MaxMemPerNode=20000)")
refused("all of it", { partition = "poor", min_mem_per_node = 0 }, "(MaxMemPerNode=20000)")
taken("tasks on several nodes", { partition = "poor", num_tasks = 40, min_cpus = 40, min_mem_per_cpu = 1000 })
refused("tasks with more memory than it gives of all", { partition = "poor", num_tasks = 41, min_cpus = 41, min_mem_per_cpu = 1000 }, "(MaxMemPerNode=20000)")
refused("whole nodes with more memory", { partition = "poor", shared = 0, min_mem_per_cpu = 1000 }, "(MaxMemPerNode=20000)")

-- Reservations.
slurm.reservations = {
   one = { name = "one", node_list = "n1", flags = 0 },
   other = { name = "other", node_list = "n[2-3]", flags = 0 },
   any = { name = "any", node_list = "n1", flags = 2 ^ 8 + 2 ^ 15 },
   flexible = { name = "flexible", node_list = "n1", flags = 2 ^ 25 },
   later = { name = "later", node_list = "n1", flags = 0, start_time = os.time() + 3600 },
   elsewhere = { name = "elsewhere", node_list = "m1", flags = 0, start_time = os.time() - 1 },
   licences = { name = "licences", flags = 0 },
}
taken("a node of a reservation", { reservation = "one", num_tasks = 1, min_cpus = 1 })
refused("more nodes than a reservation has", { reservation = "one", min_nodes = 2 }, "2 nodes were asked for; the partition has in reservation one 1")
refused("more processors", { reservation = "one", num_tasks = 65, min_cpus = 65 }, "65 processors were asked for; the partition has in reservation one 64")
taken("the nodes of one of several", { reservation = "one,other", min_nodes = 2 })
refused("more than any of several has", { reservation = "one,other", min_nodes = 3 }, "3 nodes were asked for; the partition has in reservation")
refused("a reservation beside the partition", { reservation = "elsewhere" }, "1 nodes were asked for; the partition has in reservation elsewhere 0")
refused("a node beside a reservation", { reservation = "one", req_nodes = "n2" }, "node n2 was asked for; the partition has")
for _, name in ipairs({ "any", "flexible", "later", "licences", "unknown", "one,any" }) do
   taken("nodes beside reservation " .. name, { reservation = name, min_nodes = 2 })
end

-- Sockets, cores and threads.
taken("a core of a socket", { cores_per_socket = 1 })
taken("as many sockets, cores and threads as there are", { sockets_per_node = 2, cores_per_socket = 16, threads_per_core = 2 })
refused("more sockets", { sockets_per_node = 3 }, "1 processor and 3 sockets was asked for; the partition has none")
refused("more cores of a socket", { cores_per_socket = 17 }, "1 processor and 17 cores in a socket was asked for")
taken("sockets that are not written down", { partition = "few", sockets_per_node = 8, cores_per_socket = 8 })
refused("a node with too few sockets", { partition = "kept", req_nodes = "k1", sockets_per_node = 2 }, "with too little for this job")
taken("a task of more processors than a socket has", { partition = "few", cpus_per_task = 4, ntasks_per_socket = 1, min_cpus = 4 })
refused("more tasks of a socket than it has processors", { partition = "few", num_tasks = 4, min_cpus = 4, ntasks_per_socket = 2 }, "2 of them in a socket")
taken("tasks apart by sockets that follow from the processors", { partition = "few", num_tasks = 4, min_cpus = 4, min_nodes = 2, ntasks_per_socket = 1 })
taken("threads of a core", { threads_per_core = 2 })
refused("more threads than a core has", { threads_per_core = 4 }, "1 processor, 4 of them in a core, was asked for; the partition has none")
taken("threads of a core that are not written down", { partition = "few", threads_per_core = 2 })
refused("room for more tasks than there are", { num_tasks = 1, min_cpus = 1, cpus_per_task = 40, ntasks_per_node = 2 }, "80 processors was asked for")

local function note_of_switches(asked)
   return string.match(taken("nodes of one switch", asked).admin_comment, "oneswitch=%d+")
end
check("the usual wait", note_of_switches({ min_nodes = 2, req_switch = 1, wait4switch = slurm.NO_VAL }) == "oneswitch=300")
check("a short wait", note_of_switches({ min_nodes = 2, req_switch = 1, wait4switch = 60 }) == "oneswitch=60")
check("a longer one than there may be", note_of_switches({ min_nodes = 2, req_switch = 1, wait4switch = 600 }) == "oneswitch=300")
check("no wait for any number", note_of_switches({ min_nodes = 2, req_switch = 2, wait4switch = 60 }) == nil)
taken("of more than one switch Slurm makes any number", { min_nodes = 2, max_nodes = 4, features = "[fast|slow]", req_switch = 2 })
refused("nodes of one switch and of one feature", { min_nodes = 2, features = "[fast|slow]", req_switch = 1 }, "(--switches)")
refused("nodes of one switch of a component", { min_nodes = 2, het_job_offset = 1, req_switch = 1 }, "(--switches)")
taken("no more nodes than switches", { min_nodes = 2, max_nodes = 2, req_switch = 2 })
taken("one task of one switch", { num_tasks = 1, req_switch = 1 })
taken("no number of switches", { num_tasks = 8, min_nodes = 2, req_switch = slurm.NO_VAL })

-- Numbers that stand for "not given" in smaller fields.
refused("254 nodes", { partition = "few", min_nodes = 254, max_nodes = 254 }, "254 nodes were asked for; the partition has 10")
refused("254 tasks", { partition = "few", num_tasks = 254, min_cpus = 254 }, "254 processors were asked for; the partition has 40")
refused("254 processors of a task", { num_tasks = 1, cpus_per_task = 254 }, "254 processors was asked for")
refused("65534 MB", { partition = "kept", min_mem_per_node = 65534 }, "65534 MB of memory was asked for; the partition has none")
refused("65534 nodes", { min_nodes = 65534, max_nodes = 65534 }, "65534 nodes were asked for")

-- What users make of waiting jobs.
local function change(asked, record, uid)
   local job = { priority = slurm.NO_VAL, bitflags = 0 }
   for name, value in pairs(asked) do
      job[name] = value
   end
   said, logged = nil, nil
   record = setmetatable(record or {}, { __index = { job_id = 7, job_state = 0, partition = "batch", user_id = 1000, priority = 0 } })
   return slurm_job_modify(job, record, partitions, uid or 1000), job
end
check("more nodes than there are", change({ min_nodes = 10001, max_nodes = 10001 }) == 2014 and said ~= nil)
check("nodes that are there", change({ min_nodes = 10000, max_nodes = 10000 }) == slurm.SUCCESS)
check("features that no node has by slurm.conf", change({ features = "fast&slow" }) == slurm.SUCCESS)
check("more nodes than its partition gives", change({ min_nodes = 4, max_nodes = 4 }, { partition = "few" }) == 2014)
check("the same with a quality of service", change({ min_nodes = 4, max_nodes = 4 }, { partition = "few", qos = "large" }) == slurm.SUCCESS)
check("an administrator may", change({ min_nodes = 10001, max_nodes = 10001 }, {}, 0) == slurm.SUCCESS)
check("a running job", change({ min_nodes = 10001, max_nodes = 10001 }, { job_state = 1 }) == slurm.SUCCESS)
check("nodes of one switch now", change({ req_switch = 1 }) == 2014)
for _, none in ipairs({ "gres:", "gres:gpu:0" }) do
   check("no generic resources now", change({ tres_per_node = none }, { tres_per_node = "gres:gpu:1" }) == 2014)
   check("there were none", change({ tres_per_node = none }) == slurm.SUCCESS)
   check("it has them by now", change({ tres_per_node = none }, { tres_per_node = "gres:gpu:1", job_state = 1 }) == slurm.SUCCESS)
end
check("more generic resources", change({ tres_per_node = "gres:gpu:2" }, { tres_per_node = "gres:gpu:1" }) == slurm.SUCCESS)
check("no change of switches", change({ req_switch = slurm.NO_VAL, comment = "words" }) == slurm.SUCCESS)
check("the expansion of another job now", change({ dependency = "expand:12" }) == 2014)
check("another dependency now", change({ dependency = "afterok:12" }) == slurm.SUCCESS)
check("an expansion of Weir's", change({ dependency = "expand:12" }, {}, 0) == slurm.SUCCESS)
check("another comment", change({ comment = "words" }) == slurm.SUCCESS)
check("a change that cannot be read", change({ min_nodes = {} }) == slurm.SUCCESS and logged ~= nil)
local _, held = change({ priority = 0 })
check("a user's hold", held.comment == "[held by user]")
check("which leaves the job to Weir", held.priority == slurm.NO_VAL)
check("254 nodes now", change({ min_nodes = 254, max_nodes = 254 }, { partition = "few" }) == 2014)
local _, let_go = change({ priority = slurm.INFINITE }, { comment = "[held by user] mine" })
check("and its release", let_go.comment == "mine" and let_go.priority == slurm.NO_VAL)
local _, set = change({ priority = 1000 }, { comment = "[held by user]" })
check("a priority, which Slurm refuses", set.comment == nil and set.priority == 1000)
local running = { job_state = 1, priority = 900 }
local _, held_running = change({ priority = 0 }, running)
check("a hold of what runs", held_running.comment == "[held by user]" and held_running.priority == 0)
local _, run_on = change({ priority = slurm.INFINITE }, { job_state = 1, comment = "[held by user]" })
check("and its release, of which Slurm knows", run_on.comment == " " and run_on.priority == slurm.INFINITE)

-- A change of the comment.
local function comment_after(name, expected, asked, comment, uid)
   local _, job = change(asked, { comment = comment }, uid)
   check(name, job.comment == expected)
end
comment_after("a comment of a held job", "[held by user] mine", { comment = "mine" }, "[held by user] my own")
comment_after("none", "[held by user]", { comment = "" }, "[held by user] my own")
comment_after("an administrator's comment", "[held by user] its", { comment = "its" }, "[held by user] my own", 0)
comment_after("an operator's comment", "[held by user] its", { comment = "its" }, "[held by user] my own", 1001)
comment_after("Weir's release", "my own", { comment = "my own" }, "[held by user] my own", 0)
comment_after("Weir's release of a job without a comment", " ", { comment = " " }, "[held by user]", 0)
comment_after("not a user's own release like that", "[held by user] my own", { comment = "my own" }, "[held by user] my own")
comment_after("a comment of another job", "mine", { comment = "mine" }, "my own")

-- An administrator who is not root.
local _, operator = change({ priority = slurm.INFINITE }, { comment = "[held by user] my own" }, 1001)
check("an operator's release", operator.comment == "my own" and operator.priority == slurm.NO_VAL)
_, operator = change({ priority = 0 }, {}, 1001)
check("an operator's hold, or a coordinator's", operator.comment == "[held by user]" and operator.priority == 0)
_, operator = change({ priority = 0 }, { comment = "my own", admin_comment = "[weir,adminhold=@0]" }, 1001)
check("of a job that an administrator holds", operator.comment == nil and operator.priority == 0)
_, operator = change({ priority = 1000 }, {}, 1001)
check("an operator's priority", operator.comment == nil and operator.priority == 1000)

local ADMIN_HELD = "of the site [weir,begin=7,adminhold=@0,nokill=1]"
for _, uid in ipairs({ 1000, 1001 }) do
   _, operator = change({ priority = slurm.INFINITE }, { comment = "[held by user] my own", admin_comment = ADMIN_HELD }, uid)
   check("a release from an administrator's hold, which is for Slurm to judge", operator.priority == slurm.INFINITE and operator.comment == nil)
   check("which lets nothing start", operator.begin_time > os.time() + 86400)
end
_, operator = change({ priority = slurm.INFINITE }, { admin_comment = ADMIN_HELD }, 0)
check("root's release", operator.begin_time == nil)

-- Released before the connector has noted who held it: what Slurm says of who may counts here, too.
change({ priority = 0 }, { job_id = 77 }, 1001)
_, operator = change({ priority = slurm.INFINITE }, { job_id = 77, comment = "[held by user] my own" }, 1001)
check("an operator's release of what was held just now", operator.priority == slurm.INFINITE and operator.comment == nil)
check("which lets nothing start, too", operator.begin_time > os.time() + 86400)
_, operator = change({ priority = slurm.INFINITE }, { job_id = 77, comment = "my own" }, 1001)
check("of one that was released since", operator.priority == slurm.NO_VAL)
change({ priority = 0 }, { job_id = 78 }, 1000)
_, operator = change({ priority = slurm.INFINITE }, { job_id = 78, comment = "[held by user]" }, 1001)
check("and of what its user held", operator.priority == slurm.NO_VAL and operator.comment == " ")

-- A single request for all records of an array or a heterogeneous job; Slurm has none for an empty comment that a plug-in sets.
local function change_all(asked, records, uid)
   local fields = { priority = slurm.NO_VAL, bitflags = 0 }
   for name, value in pairs(asked) do
      fields[name] = value
   end
   local request, seen = {}, {}
   for i, record in ipairs(records) do
      setmetatable(record, { __index = { job_state = 0, partition = "batch", user_id = 1000, priority = 0, array_job_id = 7 } })
      local job = setmetatable({}, { _job_desc = request, __index = fields, __newindex = function(_, name, value)
         fields[name] = value ~= "" and value or nil
      end })
      slurm_job_modify(job, record, partitions, uid or 1000)
      seen[i] = { comment = fields.comment, priority = fields.priority, begin_time = fields.begin_time }
   end
   return seen
end
local function commented(name, expected, seen)
   local comments = {}
   for i = 1, #seen do
      comments[i] = seen[i].comment or "-"
   end
   check(name .. ": " .. table.concat(comments, ";"), table.concat(comments, ";") == expected)
end
local two = change_all({ priority = slurm.INFINITE }, { { comment = "[held by user]" }, { comment = "[held by user] other" }, {} })
commented("a release of three tasks", " ;other;-", two)
check("as such", two[1].priority == slurm.NO_VAL and two[3].priority == slurm.NO_VAL)
local mixed = change_all({ priority = slurm.INFINITE }, { { comment = "[held by user]" }, { job_state = 1, priority = 9 } })
commented("a release of an array with a task that runs", " ;-", mixed)
check("which it does", mixed[2].priority == slurm.INFINITE)
commented("a hold of three tasks", "[held by user];[held by user] other;[held by user]",
   change_all({ priority = 0 }, { {}, { comment = "other" }, {} }))
commented("a comment of three tasks, one of them held", "mine;[held by user] mine;mine",
   change_all({ comment = "mine" }, { {}, { comment = "[held by user]" }, {} }))
commented("no comment of three", "[held by user];[held by user]; ",
   change_all({ comment = "" }, { { comment = "[held by user] a" }, { comment = "[held by user]" }, { comment = "b" } }))
commented("an administrator's comment of two", "[held by user] its;its",
   change_all({ comment = "its" }, { { comment = "[held by user]" }, {} }, 0))
commented("a release of two components", " ; ", change_all({ priority = slurm.INFINITE },
   { { het_job_id = 8, array_job_id = 0, comment = "[held by user]" }, { het_job_id = 8, array_job_id = 0, comment = "[held by user]" } }))
local one_of_two = change_all({ priority = slurm.INFINITE, begin_time = 0 }, { { admin_comment = ADMIN_HELD }, { comment = "[held by user]" } })
commented("a release of two tasks, one of them held by an administrator", "-; ", one_of_two)
check("which alone begins late", one_of_two[1].begin_time > 0 and one_of_two[2].begin_time == 0
   and one_of_two[1].priority == slurm.INFINITE and one_of_two[2].priority == slurm.NO_VAL)
local again = change_all({ priority = 0 }, { { comment = "a" } })
commented("a hold after a release", "[held by user] a", again)

-- What others write into the administrator's comment.
local NOTED = "of the site [weir,nokill=1,start=c/12/0@0]"
local function commented(text, record)
   local _, changed = change({ admin_comment = text }, record, 0)
   return changed.admin_comment
end
check("the note stays", commented("JS1:stats", { job_state = 1, admin_comment = NOTED }) == "JS1:stats [weir,nokill=1,start=c/12/0@0]")
check("also while the job leaves its nodes for the queue", commented("JS1:stats", { job_state = 32768, admin_comment = "[weir,start=c/1@0]" })
   == "JS1:stats [weir,start=c/1@0]")
check("also without other words", commented("", { job_state = 0, admin_comment = NOTED }) == "[weir,nokill=1,start=c/12/0@0]")
check("another note", commented("[weir,start=c/13/0@1]", { job_state = 1, admin_comment = NOTED }) == "[weir,start=c/13/0@1]")
check("where there was none", commented("JS1:stats", { job_state = 1, admin_comment = "before" }) == "JS1:stats")
check("not when the job has ended", commented("JS1:stats", { job_state = 3, admin_comment = NOTED }) == "JS1:stats")
check("nothing is said of it", commented(nil, { job_state = 1, admin_comment = NOTED }) == nil)

-- Slurm would start by itself what its plug-in fails on.
local result, job = submit({ features = {} })
check("a job that cannot be read is held", result == slurm.SUCCESS and job.priority == 0 and logged ~= nil)

-- Slurm would start by itself a job that has a nice value taken from its priority of 0, unless that is made of factors.
local function modify(nice, priority, uid)
   said = nil
   return slurm_job_modify({ nice = nice, priority = slurm.NO_VAL }, { priority = priority }, partitions, uid)
end
check("no other nice value while it waits", modify(2147483658, 0, 1000) ~= slurm.SUCCESS and said ~= nil)
check("nor by root", modify(2147483648, 0, 0) ~= slurm.SUCCESS)
check("another one when it runs", modify(2147483658, 7, 1000) == slurm.SUCCESS)
check("no change of it", modify(slurm.NO_VAL, 0, 1000) == slurm.SUCCESS)

-- Cores and threads that a job leaves to the system, of which cli_filter.lua tells in its comment.
local plain = taken("cores left to the system where Slurm does not count them", { partition = "kept", comment = "[kept core 9] a" })
check("are of no account", plain.comment == "a" and string.find(plain.admin_comment, "spec", 1, true) == nil)
local clock = os.time
conf = assert(io.open(os.getenv("SLURM_CONF"), "a"))
conf:write("AllowSpecResourcesUsage=YES\nPriorityType=priority/multifactor\nNodeName=s[1-2] CPUs=8 Sockets=1 CoresPerSocket=4 ThreadsPerCore=2\n")
conf:close()
os.time = function() return clock() + 90 end
check("another nice value where priorities are made of factors", modify(2147483658, 0, 1000) == slurm.SUCCESS)
partitions.spec = { name = "spec", nodes = "s[1-2]", total_nodes = 2, total_cpus = 16, max_share = 1, max_time = slurm.INFINITE }
local function spare(words, asked)
   asked.partition, asked.comment = "spec", words
   return asked
end
local sparing = taken("cores left to the system", spare("[no kill] [kept core 3] a", { num_tasks = 2, min_cpus = 2 }))
check("are noted", sparing.comment == "a" and string.find(sparing.admin_comment, "nokill=1,corespec=3", 1, true) ~= nil)
check("also threads", string.find(taken("threads", spare("[kept thread 6]", {})).admin_comment, "threadspec=6", 1, true) ~= nil)
refused("all cores", spare("[kept core 4]", {}), "a node with 1 processor and 4 cores kept for the system (--core-spec) was asked for")
refused("more threads than are left", spare("[kept thread 7]", {}), "7 threads kept for the system (--thread-spec)")
refused("too many for the tasks", spare("[kept core 3]", { num_tasks = 3, min_cpus = 3 }), "3 processors and 3 cores kept")
taken("on two nodes", spare("[kept core 3]", { num_tasks = 3, min_cpus = 3, min_nodes = 2, max_nodes = 2, ntasks_per_node = 2 }))
refused("too many for whole nodes", spare("[kept core 3]", { num_tasks = 1, cpus_per_task = 3, min_cpus = 3, shared = 0 }), "3 cores kept")
taken("whole nodes", spare("[kept core 1]", { num_tasks = 1, cpus_per_task = 3, min_cpus = 3, shared = 0 }))

-- Whole nodes have their cores for jobs, also those that would be kept for the system.
refused("a core that is kept for the system", { partition = "kept", num_tasks = 8, min_nodes = 1, max_nodes = 1 }, "8 ")
conf = assert(io.open(os.getenv("SLURM_CONF"), "w"))
conf:write([[
SelectType=select/linear
NodeName=k1 CPUs=8 Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=8000 CpuSpecList=0-1,5
]])
conf:close()
os.time = function() return clock() + 180 end
taken("all of a whole node", { partition = "kept", num_tasks = 8, min_nodes = 1, max_nodes = 1 })

refused("more memory than a node has, though it is not counted", { partition = "kept", min_mem_per_cpu = 9000 }, "9000 MB")
taken("memory that is not counted", { partition = "kept", num_tasks = 1, cpus_per_task = 4, min_mem_per_cpu = 3000 })

conf = assert(io.open(os.getenv("SLURM_CONF"), "w"))
conf:write("SlurmUser=daemon\nNodeName=k1 CPUs=8\n")
conf:close()
os.time = function() return clock() + 270 end
_, operator = change({ priority = slurm.INFINITE }, {}, 1)
check("a start of Weir's that runs as SlurmUser", operator.priority == slurm.INFINITE)
_, operator = change({ priority = slurm.INFINITE }, {}, 1001)
check("not another's", operator.priority == slurm.NO_VAL)

conf = assert(io.open(os.getenv("SLURM_CONF"), "w"))
conf:write("SelectTypeParameters=CR_Core_Memory,CR_ONE_TASK_PER_CORE\nNodeName=k1 CPUs=8 Sockets=1 CoresPerSocket=4 ThreadsPerCore=2\n")
conf:close()
os.time = function() return clock() + 360 end
taken("a task of each core", { partition = "kept", num_tasks = 4, min_cpus = 4 })
refused("more, where Slurm gives each task a core", { partition = "kept", num_tasks = 5, min_cpus = 5 }, "5 tasks were asked for")
taken("more, by their user", { partition = "kept", num_tasks = 5, min_cpus = 5, ntasks_per_core = 2 })

-- Sites have nodes and partitions in files of their own, which slurm.conf includes; generic resources may be counted with units.
local beside = string.match(os.getenv("SLURM_CONF"), "^(.*/)") or ""
conf = assert(io.open(beside .. "included.conf", "w"))
conf:write("GresTypes=gpu,disk\nInclude included-one.conf\n")
conf:close()
conf = assert(io.open(beside .. "included-one.conf", "w"))
conf:write([[
NodeName=k1 CPUs=8 Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:2,disk:900G
PartitionName=kept Nodes=k1 DefCpuPerGPU=3
include included.conf
]])
conf:close()
conf = assert(io.open(os.getenv("SLURM_CONF"), "w"))
conf:write("ClusterName=One # with a capital\nSelectTypeParameters=CR_Core\n  INCLUDE included.conf # and others\nInclude nosuch.conf\n")
conf:close()
os.time = function() return clock() + 450 end
refused("more than a node of an included file has", { partition = "kept", cpus_per_task = 9, num_tasks = 1 }, "9 processors was asked for")
check("processors by GPU of an included partition",
   taken("a GPU", { partition = "kept", tres_per_node = "gres:gpu:1" }).cpus_per_tres == "gres:gpu:3")
taken("disk by gigabytes", { partition = "kept", tres_per_node = "gres:disk:900G" })
taken("as many bytes", { partition = "kept", tres_per_node = "gres:disk:966367641600" })
refused("more disk than there is", { partition = "kept", tres_per_node = "gres:disk:1T" }, "1099511627776 disk was asked for")
taken("disk by thousands", { partition = "kept", tres_per_node = "gres:disk:966GB" })
taken("a unit of two letters", { partition = "kept", tres_per_node = "gres:disk:900gib" })
refused("a type that looks like a number", { partition = "kept", tres_per_node = "gres:gpu:3g.20gb" }, "1 gpu:3g.20gb")

local latin, replaced = "M\252ller & Co", "M\239\191\189ller & Co"
_, operator = change({ comment = replaced }, { comment = "[held by user] " .. latin, priority = 0 }, 0)
check("a release by the connector of a comment in Latin-1", operator.comment == latin)
_, operator = change({ comment = "[held by user] " .. replaced }, { comment = latin, priority = 0 }, 0)
check("its mark on one", operator.comment == "[held by user] " .. latin)
_, operator = change({ comment = "M\239\191\189ller" }, { comment = "[held by user] " .. latin, priority = 0 }, 0)
check("another comment of root's", operator.comment == "[held by user] M\239\191\189ller")

check("a mark that nobody's hold has made",
   taken("a comment with it", { partition = "kept", num_tasks = 1, comment = "[held by user] words" }).comment == "words")
check("the mark of a hold at submission",
   taken("a job that is held", { partition = "kept", num_tasks = 1, comment = "words", priority = 0 }).comment == "[held by user] words")

-- Without SelectType whole nodes are given by the releases that do not know this word, cores by others.
for at, word in ipairs({ "SOME_WORD", "GRES_ALLOW_TASK_SHARING" }) do
   local whole = at == 1
   slurm[word] = 1
   dofile(arg[1])
   conf = assert(io.open(os.getenv("SLURM_CONF"), "w"))
   conf:write("NodeName=k1 CPUs=8 Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=8000 CpuSpecList=0-1,5\n")
   conf:close()
   os.time = function() return clock() + 450 + 90 * at end
   local asked = { partition = "kept", num_tasks = 8, min_nodes = 1, max_nodes = 1 }
   if whole then
      taken("all of a node, without SelectType", asked)
   else
      refused("cores kept for the system, without SelectType", asked, "8 tasks on no more than 1 node")
   end
end

os.exit(failures == 0 and 0 or 1)
