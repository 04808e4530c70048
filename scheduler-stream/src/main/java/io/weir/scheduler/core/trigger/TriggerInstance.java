package io.weir.scheduler.core.trigger;

import io.weir.scheduler.core.bound.HourlyBudget;
import io.weir.scheduler.state.TriggerInstanceRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where one trigger stands on one object. Changed only by {@link TriggerTable} and its
 * {@linkplain TriggerFirings firings}.
 */
public final class TriggerInstance {
    static final long NEVER = Long.MIN_VALUE;

    final String id;

    /** The trigger as written; null when the configuration has it. */
    final @Nullable String text;

    final @Nullable String principal;
    final @Nullable Integer level;
    TriggerState state = TriggerState.INACTIVE;

    /** Whether the next iteration gives its event an instant. */
    boolean unsettled;

    /** Whether its event happened again while its action is under way. */
    boolean happenedMeanwhile;

    /** Since when its threshold is passed, epoch seconds. */
    long since = NEVER;

    /** When it fires, or when the answer is given up, epoch seconds. */
    long due = NEVER;

    long fired = NEVER;
    long runs;
    int attempt;

    /** Its firings. */
    HourlyBudget budget = new HourlyBudget(0, 0);

    @Nullable
    String firingId;

    /** Until when no job starts because its action is awaited, epoch seconds. */
    long blocksUntil = NEVER;

    /** Whether its program is under way and stopped when its object is over. */
    boolean cleansUp;

    /** Whether the next iteration has its program stopped, as its object is over. */
    boolean stopDue;

    /** Whether that was asked for. */
    boolean stopped;

    List<String> requests = List.of();
    boolean waiting;
    String event = "";
    String value = "";
    String output = "";

    /** What {@link #text} means; made when needed. */
    private @Nullable TriggerTemplate own;

    TriggerInstance(String id, @Nullable String text, @Nullable String principal, @Nullable Integer level) {
        this.id = id;
        this.text = text;
        this.principal = principal;
        this.level = level;
    }

    static TriggerInstance from(TriggerInstanceRecord record) {
        TriggerInstance instance =
                new TriggerInstance(record.getId(), record.getText(), record.getPrincipal(), record.getLevel());
        instance.state = state(record.getState());
        instance.unsettled = record.getUnsettled();
        instance.since = number(record.getSince());
        instance.due = number(record.getDue());
        instance.fired = number(record.getFired());
        instance.runs = record.getRuns();
        instance.attempt = record.getAttempt();
        instance.firingId = record.getFiringId();
        instance.requests = List.copyOf(record.getRequests());
        instance.waiting = record.getWaiting();
        instance.event = record.getEvent();
        instance.value = record.getValue();
        instance.output = record.getOutput();
        instance.budget = new HourlyBudget(record.getHour(), record.getSpent());
        instance.blocksUntil = number(record.getBlocksUntil());
        instance.cleansUp = record.getCleansUp();
        instance.stopDue = record.getStopDue();
        instance.stopped = record.getStopped();
        instance.happenedMeanwhile = record.getHappenedMeanwhile();
        return instance;
    }

    TriggerInstanceRecord toRecord() {
        return new TriggerInstanceRecord(
                id,
                text,
                principal,
                level,
                state.name(),
                unsettled,
                number(since),
                number(due),
                number(fired),
                runs,
                attempt,
                firingId,
                requests,
                waiting,
                event,
                value,
                output,
                budget.hour(),
                budget.spent(),
                number(blocksUntil),
                cleansUp,
                stopDue,
                stopped,
                happenedMeanwhile);
    }

    /** A state that a later build stored is none that this one can go on from. */
    private static TriggerState state(String name) {
        for (TriggerState state : TriggerState.values()) {
            if (state.name().equals(name)) {
                return state;
            }
        }
        return TriggerState.INACTIVE;
    }

    private static long number(@Nullable Long number) {
        return number == null ? NEVER : number;
    }

    private static @Nullable Long number(long number) {
        return number == NEVER ? null : Long.valueOf(number);
    }

    /** Returns the trigger; null when the configuration does not have it any more. */
    @Nullable
    TriggerTemplate template(TriggerRules rules) {
        String written = text;
        if (written == null) {
            return rules.byId(id);
        }
        TriggerTemplate made = own;
        if (made == null) {
            TriggerSpec spec = TriggerText.read(written).spec();
            made = spec == null ? null : new TriggerTemplate(id, spec, principal, level);
            own = made;
        }
        return made;
    }

    /** Returns its id, unique among the triggers of its object. */
    public String id() {
        return id;
    }

    /** Returns where it stands. */
    public TriggerState state() {
        return state;
    }

    /** Returns what happened last. */
    public String event() {
        return event;
    }

    /** Returns the value that passes the threshold, the last one until it fires for good; empty for none. */
    public String value() {
        return value;
    }

    /** Returns what came of it last. */
    public String output() {
        return output;
    }

    /** Returns when it fires, or its answer is given up, epoch seconds; null for neither. */
    public @Nullable Long due() {
        return number(due);
    }

    /** Returns when it fired last, epoch seconds; null for never. */
    public @Nullable Long fired() {
        return number(fired);
    }

    /** Returns the number of the attempt under way, from 1. */
    public int attempt() {
        return attempt;
    }

    /** Returns how often it fired. */
    public long runs() {
        return runs;
    }

    /** Returns the requests whose answers are awaited. */
    public List<String> requests() {
        return requests;
    }
}
