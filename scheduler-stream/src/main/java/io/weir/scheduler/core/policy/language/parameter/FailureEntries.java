package io.weir.scheduler.core.policy.language.parameter;

import static io.weir.scheduler.core.policy.language.value.ValueTypes.*;

import io.weir.scheduler.core.policy.language.value.ValueType;
import java.util.List;
import java.util.Map;

/** Parameters about what happens when nodes fail. */
final class FailureEntries {
    private FailureEntries() {}

    static void define(ParameterRegistry r) {
        r.area("Failures");
        r.plain(
                "NODEALLOCRESFAILUREPOLICY",
                FAILURE_POLICY,
                "CANCEL",
                "What happens to a running job when one of its nodes fails.");
        r.plain(
                "JOBACTIONONNODEFAILURE",
                FAILURE_POLICY,
                null,
                "Another name of NODEALLOCRESFAILUREPOLICY, which wins when both are set.");
        r.plain(
                "NODEFAILDETECTTIME",
                TIME,
                "60",
                "Age of a node's last heartbeat (UPDATETIME) from which it is down; 0 for never. The native connector goes by"
                        + " it, where its rmcfg.file names this configuration; Slurm goes by its own SlurmdTimeout.");
        r.plain("JOBACTIONONNODEFAILUREDURATION", TIME, "0", "How long a node has to be down before jobs feel it.");
        r.plain(
                "JOBREALLOCATE",
                FLAG,
                "FALSE",
                "Whether jobs that go on under IGNORE get idle nodes in the place of failed ones.");
        r.plain(
                "FAILURESERVICE",
                ValueType.choices(List.of("nonstop", "NONE"), Map.of("slurmctld/nonstop", "nonstop")),
                "NONE",
                "Service by which applications survive a node failure; what it does is in nonstop.conf beside the configuration.");
        r.alias("SLURMCTLDPLUGIN", "FAILURESERVICE");
    }
}
