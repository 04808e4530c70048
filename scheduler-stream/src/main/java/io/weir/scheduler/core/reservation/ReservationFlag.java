package io.weir.scheduler.core.reservation;

/** Flags of reservations that mean something to the scheduler; others are kept as text. */
public enum ReservationFlag {
    /** Only jobs that name it may use it. */
    BYNAME,
    /** Its owner's jobs may preempt others in it. */
    OWNERPREEMPT,
    /** Jobs in it may be preempted. */
    PREEMPTEE,
    /** May move to other nodes than its host expression names. */
    SPACEFLEX,
    /** Ends when the first job that started in it has ended. */
    SINGLEUSE,
    /** Begins later than asked for, as early as nothing is in its way. */
    TIMEFLEX,
    /** Made whatever stands against it. */
    FORCE,
    /** Made with fewer tasks when there are not enough. */
    BESTEFFORT,
    /** Other reservations do not stand against it. */
    IGNRSV,
    /** The state of nodes does not stand against it. */
    IGNSTATE,
    /** Reservations of jobs, and the jobs themselves, do not stand against it. */
    IGNJOBRSV,
    /** Nothing may overlap it when it is made. */
    EXCLUSIVE,
    /** It is an instance of a standing reservation. */
    STANDINGRSV;

    /** Returns whether {@code name} is one of the flags. */
    public static boolean known(String name) {
        for (ReservationFlag flag : values()) {
            if (flag.name().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
