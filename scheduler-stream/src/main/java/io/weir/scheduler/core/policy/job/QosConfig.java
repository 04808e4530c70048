package io.weir.scheduler.core.policy.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * QOSCFG[name]; null means not given.
 *
 * @param priority PRIORITY
 * @param flags QFLAGS in upper case, such as NOBF, DEDICATED, USERESERVED:id
 * @param queueTimeWeight QTWEIGHT, added to the global weight
 * @param xfactorWeight XFWEIGHT, added to the global weight
 * @param queueTimeTargetSeconds QTTARGET
 * @param xfactorTarget XFTARGET
 * @param fairshareTarget FSTARGET
 * @param chargeRate CHARGERATE
 */
public record QosConfig(
        @Nullable Long priority,
        List<String> flags,
        long queueTimeWeight,
        long xfactorWeight,
        @Nullable Long queueTimeTargetSeconds,
        @Nullable Double xfactorTarget,
        @Nullable FairshareTarget fairshareTarget,
        @Nullable Double chargeRate) {
    private static final String USE_RESERVED = "USERESERVED";

    /** Says nothing. */
    public static final QosConfig NONE = new QosConfig(null, List.of(), 0, 0, null, null, null, null);

    public QosConfig {
        flags = List.copyOf(flags);
    }

    /** Returns the reservation its jobs have to stay inside, empty for any they may use; null when they need not. */
    public @Nullable String usesReserved() {
        for (String flag : flags) {
            if (flag.equals(USE_RESERVED)) {
                return "";
            }
            if (flag.startsWith(USE_RESERVED + ":")) {
                return flag.substring(USE_RESERVED.length() + 1);
            }
        }
        return null;
    }
}
