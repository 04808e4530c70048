package io.weir.scheduler.core.policy.language.parameter;

import static io.weir.scheduler.core.policy.language.value.ValueTypes.*;

import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry.Attributes;
import io.weir.scheduler.core.policy.language.value.ValueType;

/** The resource managers, as far as the site's configuration describes them. */
final class ResourceManagerEntries {
    private static final String[] URLS = {
        "CLUSTERQUERYURL",
        "WORKLOADQUERYURL",
        "JOBSTARTURL",
        "JOBCANCELURL",
        "JOBREQUEUEURL",
        "JOBSUSPENDURL",
        "JOBRESUMEURL",
        "JOBMODIFYURL",
        "JOBSUBMITURL",
        "NODEMODIFYURL",
        "NODEPOWERURL",
        "SYSTEMQUERYURL"
    };

    private static final String CONNECTOR = "the native connector, from its rm.native.rmcfg.file";

    private ResourceManagerEntries() {}

    static void define(ParameterRegistry r) {
        r.area("Resource managers");
        Attributes attributes = new Attributes()
                .elsewhere(
                        CONNECTOR,
                        "TYPE",
                        ValueType.choice("NATIVE", "KAFKA", "SLURM", "PBS"),
                        null,
                        "What it is; connectors have settings of their own for how to reach it.");
        for (String url : URLS) {
            attributes.elsewhere(
                    CONNECTOR, url, URL, null, "exec://, file:// or http(s):// address of that operation.");
        }
        r.object(
                "RMCFG",
                IndexRule.ZERO,
                "A resource manager.",
                attributes
                        .pending("POLLINTERVAL", TIME, "Time between polls.")
                        .elsewhere(CONNECTOR, "TIMEOUT", TIME, "30", "How long it may take to answer.")
                        .pending("FLAGS", NAMES, "Flags.")
                        .with("NODEFAILURERSVPROFILE", TEXT, "RSVPROFILE of the reservations of nodes that failed.")
                        .pending(
                                "NODESTATEPOLICY",
                                ValueType.choice("OPTIMISTIC", "PESSIMISTIC"),
                                "Which state counts when resource managers disagree.")
                        .trigger()
                        .elsewhere(CONNECTOR, "ENV", TEXT, null, "Environment of its programs."));
    }
}
