package io.weir.scheduler.core.policy.job;

import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.policy.node.NodeFailurePolicy;
import io.weir.scheduler.core.policy.nodeset.NodeSetSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * CLASSCFG[name]; null or empty means not given.
 *
 * @param priority PRIORITY
 * @param hosts HOSTLIST: the only nodes its jobs may use, by name or by regular expression
 * @param nodeSet DEFAULT.NODESET
 * @param defaultWalltimeSeconds DEFAULT.WCLIMIT
 * @param maxCpuSeconds MAX.CPUTIME, processor seconds
 * @param maxWalltimeSeconds MAX.WCLIMIT
 * @param maxProcs MAX.PROC
 * @param minProcs MIN.PROC
 * @param access NODEACCESSPOLICY
 * @param forcedAccess FORCENODEACCESSPOLICY
 * @param requiredFeatures REQ.FEATURES
 * @param qosDefault QDEF
 * @param qosList QLIST
 * @param fairshareTarget FSTARGET
 * @param chargeRate CHARGERATE
 * @param failure RESFAILPOLICY
 * @param jobFlags JOBFLAGS in upper case
 */
public record ClassConfig(
        @Nullable Long priority,
        List<String> hosts,
        @Nullable NodeSetSpec nodeSet,
        @Nullable Long defaultWalltimeSeconds,
        @Nullable Long maxCpuSeconds,
        @Nullable Long maxWalltimeSeconds,
        @Nullable Integer maxProcs,
        @Nullable Integer minProcs,
        @Nullable NodeAccessPolicy access,
        @Nullable NodeAccessPolicy forcedAccess,
        List<String> requiredFeatures,
        @Nullable String qosDefault,
        List<String> qosList,
        @Nullable FairshareTarget fairshareTarget,
        @Nullable Double chargeRate,
        @Nullable NodeFailurePolicy failure,
        List<String> jobFlags) {
    /** Says nothing. */
    public static final ClassConfig NONE = new ClassConfig(
            null, List.of(), null, null, null, null, null, null, null, null, List.of(), null, List.of(), null, null,
            null, List.of());

    public ClassConfig {
        hosts = List.copyOf(hosts);
        requiredFeatures = List.copyOf(requiredFeatures);
        qosList = List.copyOf(qosList);
        jobFlags = List.copyOf(jobFlags);
    }
}
