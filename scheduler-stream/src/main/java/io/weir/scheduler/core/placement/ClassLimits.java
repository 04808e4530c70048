package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.job.ClassConfig;
import org.jspecify.annotations.Nullable;

/** What a class allows the jobs in it to ask for. */
public final class ClassLimits {
    private ClassLimits() {}

    /** Returns why a job may not ask for what it does in its class, nor in any other it names; null when it may. */
    public static @Nullable String refusal(SitePolicy policy, JobRequest request) {
        String refusal = refusal(policy, request, request.credentials().jobClass());
        for (String other : request.options().otherClasses()) {
            if (refusal == null || refusal(policy, request, other) == null) {
                return null;
            }
        }
        return refusal;
    }

    private static @Nullable String refusal(SitePolicy policy, JobRequest request, @Nullable String name) {
        ClassConfig limits = policy.jobClass(name);
        String among = name == null ? "without a class" : "of class " + name;
        Long cpu = request.options().cpuLimitSeconds();
        Long mostCpu = limits.maxCpuSeconds();
        if (cpu != null && mostCpu != null && cpu > mostCpu) {
            return "cput " + cpu + " is more than the " + mostCpu + " processor seconds of a job " + among;
        }
        Long mostTime = limits.maxWalltimeSeconds();
        if (mostTime != null && request.walltimeSeconds() > mostTime) {
            return "wallclock limit " + request.walltimeSeconds() + " is more than the " + mostTime + " s of a job "
                    + among;
        }
        int procs = request.procs();
        Integer most = limits.maxProcs();
        if (most != null && procs > most) {
            return procs + " processors are more than the " + most + " of a job " + among;
        }
        Integer least = limits.minProcs();
        if (least != null && procs < least) {
            return procs + " processors are fewer than the " + least + " of a job " + among;
        }
        return null;
    }

    /** Returns the processor seconds a job may consume: its own word, else its class's; null for no limit. */
    public static @Nullable Long cpuSeconds(SitePolicy policy, JobRequest request) {
        Long own = request.options().cpuLimitSeconds();
        return own != null
                ? own
                : policy.jobClass(request.credentials().jobClass()).maxCpuSeconds();
    }
}
