package io.weir.scheduler.core.policy.job;

import java.math.BigDecimal;

/**
 * FSTARGET.
 *
 * @param percent share of use aimed at
 * @param kind whether it is met from both sides
 */
public record FairshareTarget(double percent, Kind kind) {
    /** Returns it as it is configured: the number, with + behind a floor and - behind a ceiling. */
    public String text() {
        String sign = switch (kind) {
            case TARGET -> "";
            case FLOOR -> "+";
            case CEILING -> "-";
        };
        return BigDecimal.valueOf(percent).stripTrailingZeros().toPlainString() + sign;
    }

    /** What the target means. */
    public enum Kind {
        /** Too little and too much both count. */
        TARGET,
        /** Counts only while use is below it. */
        FLOOR,
        /** Counts only while use is above it. */
        CEILING
    }
}
