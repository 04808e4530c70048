package io.weir.scheduler.core.charge;

import io.weir.scheduler.state.ChargeRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was counted and charged of one run of a job, or of a reservation. Changed only by the types of this package. */
final class ChargedRun {
    static final long NEVER = Long.MIN_VALUE;

    /** Type of the runs of jobs. */
    static final String JOB = "job";

    /** Type of what is counted of reservations. */
    static final String RESERVATION = "reservation";

    /** What the keys of past runs begin with. */
    static final String PAST = "past:";

    final String objectType;
    final String objectId;
    final long start;
    long countedTo;
    long chargedTo;
    long due = NEVER;
    int number;

    @Nullable
    String lastId;

    Quantities counted = Quantities.NONE;
    Quantities charged = Quantities.NONE;

    /** What was used before charging came into force; of a job its processor time alone. */
    Quantities free = Quantities.NONE;

    /** Amount charged, thousandths. */
    long amount;

    /** Nodes of which one may have ended it, sorted; empty when that is settled. */
    List<String> suspects = List.of();

    /** Complete polls after which that is settled. */
    int suspectedFor;

    /** Whether the job runs anew, so that only what its node had to do with the end of this run is open. */
    boolean isPast;

    ChargedRun(String objectType, String objectId, long start) {
        this.objectType = objectType;
        this.objectId = objectId;
        this.start = start;
        this.countedTo = start;
        this.chargedTo = start;
    }

    static ChargedRun from(ChargeRun record) {
        ChargedRun run = new ChargedRun(record.getObjectType(), record.getObjectId(), record.getStart());
        run.countedTo = record.getCountedTo();
        run.chargedTo = record.getChargedTo();
        Long due = record.getDue();
        run.due = due == null ? NEVER : due;
        run.number = record.getNumber();
        run.lastId = record.getLastId();
        run.counted = Quantities.from(record.getCounted());
        run.charged = Quantities.from(record.getCharged());
        run.amount = record.getAmount();
        run.suspects = List.copyOf(record.getSuspects());
        run.suspectedFor = record.getSuspectedFor();
        run.isPast = record.getPast();
        run.free = record.getFree().isEmpty() ? Quantities.NONE : Quantities.from(record.getFree());
        return run;
    }

    ChargeRun toRecord(String cluster) {
        return new ChargeRun(
                cluster,
                objectType,
                objectId,
                start,
                countedTo,
                chargedTo,
                due == NEVER ? null : Long.valueOf(due),
                number,
                lastId,
                counted.toRecord(),
                charged.toRecord(),
                amount,
                suspects,
                suspectedFor,
                isPast,
                free.equals(Quantities.NONE) ? List.of() : free.toRecord());
    }

    /**
     * Goes on where a run of the same object ended: with its numbers, so that no id is given twice, and if it began at the
     * same instant, with what was charged.
     */
    void follow(ChargedRun earlier) {
        number = earlier.number;
        if (start == earlier.start) {
            countedTo = earlier.countedTo;
            chargedTo = earlier.chargedTo;
            lastId = earlier.lastId;
            counted = earlier.counted;
            charged = earlier.charged;
            free = earlier.free;
            amount = earlier.amount;
        }
    }

    /** Nothing before {@code instant}, epoch seconds, is counted that is not yet. */
    void notBefore(long instant) {
        countedTo = Math.max(countedTo, instant);
        chargedTo = Math.max(chargedTo, instant);
    }

    /** Returns what was charged of this run, whose job runs anew. */
    ChargedRun past() {
        ChargedRun run = new ChargedRun(objectType, objectId, start);
        run.follow(this);
        run.isPast = true;
        return run;
    }

    /** The charge {@code id} was made of what was counted; with those before it, it comes to {@code total} thousandths. */
    void charged(String id, long total) {
        lastId = id;
        number++;
        charged = counted;
        chargedTo = countedTo;
        amount = total;
    }

    /** All that was charged is given back. */
    void givenBack() {
        number++;
        counted = Quantities.NONE;
        charged = Quantities.NONE;
        amount = 0;
    }

    /** Returns whether it is a run of a job; what is counted of a reservation otherwise. */
    boolean isOfJob() {
        return objectType.equals(JOB);
    }

    /** Returns the id under which it is stored. */
    String key() {
        return (isPast ? PAST : "") + objectType + ":" + objectId;
    }

    /** Returns the id of the next charge: the same whenever it is made. */
    String nextId() {
        return objectType + "." + objectId + "." + start + "." + number;
    }
}
