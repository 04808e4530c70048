-- Tells who submits a heterogeneous job (sbatch, salloc, srun with " : ") why it cannot be: with sched/builtin Slurm refuses
-- such jobs itself, with "Requested operation not supported on this system" and before it asks job_submit.lua.
-- Copy it beside slurm.conf and set CliFilterPlugins=lua.

function slurm_cli_setup_defaults(options, early)
   return slurm.SUCCESS
end

function slurm_cli_pre_submit(options, offset)
   if offset > 0 then
      slurm.log_error("heterogeneous jobs are not supported on this cluster: submit the components as jobs of their own")
      return slurm.ERROR
   end
   return slurm.SUCCESS
end

function slurm_cli_post_submit(offset, job, step)
   return slurm.SUCCESS
end
