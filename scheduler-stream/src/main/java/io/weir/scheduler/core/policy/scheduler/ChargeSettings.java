package io.weir.scheduler.core.policy.scheduler;

/**
 * AMCFG, as far as the scheduler acts on it. Immutable.
 *
 * @param on whether there is an allocation manager, so that charges are made
 * @param policy CHARGEPOLICY
 * @param jobFlushSeconds how often running jobs are charged, seconds
 * @param reservationFlushSeconds how often reservations are charged while they last; 0 for at their end only
 * @param refunds whether runs that ended by the system's fault are given back
 * @param funds what is done about jobs whose account cannot pay
 */
public record ChargeSettings(
        boolean on,
        ChargePolicy policy,
        long jobFlushSeconds,
        long reservationFlushSeconds,
        boolean refunds,
        Funds funds) {
    /** Nothing is charged. */
    public static final ChargeSettings OFF =
            new ChargeSettings(false, ChargePolicy.DEBITALLWC, 86_400, 0, false, Funds.UNASKED);

    /** Which jobs are charged, and for what. */
    public enum ChargePolicy {
        /** All jobs for the time their processors were theirs. */
        DEBITALLWC(false, false),
        /** Completed jobs for that time. */
        DEBITSUCCESSFULWC(true, false),
        /** All jobs for the processor time they used. */
        DEBITALLCPU(false, true),
        /** Completed jobs for the processor time they used. */
        DEBITSUCCESSFULCPU(true, true);

        private final boolean completedOnly;
        private final boolean used;

        ChargePolicy(boolean completedOnly, boolean used) {
            this.completedOnly = completedOnly;
            this.used = used;
        }

        /** Returns whether only completed jobs are charged. */
        public boolean completedOnly() {
            return completedOnly;
        }

        /** Returns whether processor time that was used counts, not what was held. */
        public boolean used() {
            return used;
        }
    }
}
