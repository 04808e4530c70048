package io.weir.scheduler.core.policy.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * USERCFG[x], GROUPCFG[x] or ACCOUNTCFG[x]; null or empty means not given.
 *
 * @param priority PRIORITY
 * @param fairshareTarget FSTARGET
 * @param qosDefault QDEF
 * @param qosList QLIST, entries with their suffix
 * @param classDefault CDEF
 * @param accountDefault ADEF
 * @param email EMAILADDRESS
 * @param managers MANAGERS
 * @param chargeRate CHARGERATE
 * @param jobFlags JOBFLAGS in upper case
 */
public record CredentialConfig(
        @Nullable Long priority,
        @Nullable FairshareTarget fairshareTarget,
        @Nullable String qosDefault,
        List<String> qosList,
        @Nullable String classDefault,
        @Nullable String accountDefault,
        @Nullable String email,
        List<String> managers,
        @Nullable Double chargeRate,
        List<String> jobFlags) {
    /** Says nothing. */
    public static final CredentialConfig NONE =
            new CredentialConfig(null, null, null, List.of(), null, null, null, List.of(), null, List.of());

    public CredentialConfig {
        qosList = List.copyOf(qosList);
        managers = List.copyOf(managers);
        jobFlags = List.copyOf(jobFlags);
    }
}
