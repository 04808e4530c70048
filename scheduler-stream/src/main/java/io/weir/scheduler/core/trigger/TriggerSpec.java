package io.weir.scheduler.core.trigger;

import io.weir.scheduler.core.trigger.action.ChangedSetting;
import io.weir.scheduler.core.trigger.action.DatabaseUpdate;
import io.weir.scheduler.core.trigger.action.HttpCall;
import io.weir.scheduler.core.trigger.action.InternalOrder;
import io.weir.scheduler.core.trigger.action.JobOrder;
import io.weir.scheduler.core.trigger.action.ProgramWords;
import io.weir.scheduler.core.trigger.action.RaisedEvent;
import io.weir.scheduler.core.trigger.action.Trap;
import io.weir.scheduler.core.trigger.action.UnfitActionException;
import io.weir.schemas.NameValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a trigger is, as written. Immutable.
 *
 * @param name name; empty for none
 * @param description description; empty for none
 * @param event what arms it
 * @param genericEvent name of the generic event, for {@code gevent:NAME}; empty for others
 * @param kind what it does
 * @param action data of the action, variables as written
 * @param offsetSeconds how long after the event it fires; negative for before it
 * @param failOffsetSeconds how long a threshold has to stay passed first
 * @param threshold threshold; null for none
 * @param rearmSeconds RearmTime as written; 0 for none
 * @param multiFire whether it may fire more than once
 * @param interval whether it fires again and again while its object is there
 * @param period period of EType standing and epoch; null for none
 * @param requires variables it requires
 * @param sets variables it sets
 * @param unsets variables it takes away
 * @param timeoutSeconds after how long the action is stopped; 0 for the default
 * @param blockSeconds how long no job starts while its action is awaited, as written
 * @param maxRetry how often it is tried again after a failure
 * @param cancelOnFailure whether its object is cancelled when it fails
 * @param expires instant from which on it does not fire, epoch seconds; {@link Long#MAX_VALUE} for never
 * @param environment environment of a program, headers of a web service
 * @param flags flags in lower case
 */
public record TriggerSpec(
        String name,
        String description,
        TriggerEvent event,
        String genericEvent,
        TriggerActionKind kind,
        String action,
        long offsetSeconds,
        long failOffsetSeconds,
        @Nullable TriggerThreshold threshold,
        long rearmSeconds,
        boolean multiFire,
        boolean interval,
        @Nullable TriggerPeriod period,
        List<VariableCondition> requires,
        List<VariableChange> sets,
        List<VariableChange> unsets,
        long timeoutSeconds,
        long blockSeconds,
        int maxRetry,
        boolean cancelOnFailure,
        long expires,
        List<NameValue> environment,
        List<String> flags) {
    /** Flag by which a program gets its object as XML on its standard input. */
    public static final String OBJECT_XML = "objectxmlstdin";

    /** Flag by which a program is stopped when its object is over. */
    public static final String CLEANUP = "cleanup";

    /** Flag by which a trigger sees the variables that all share. */
    public static final String SHARED = "globalvars";

    /** Flag by which a program runs as the owner of its object. */
    public static final String AS_OWNER = "user";

    /** Beginning of the flag by which a program runs as the user whose name is behind it. */
    static final String AS_USER = "user+";

    /** The longest time that a program may take, seconds. */
    static final long LONGEST_PROGRAM = 24 * 3_600;

    /** The longest time that a request of a web service may take, seconds. */
    static final long LONGEST_REQUEST = 120;

    /** Flag by which a trigger survives a restart. */
    private static final String CHECKPOINT = "checkpoint";

    /** The longest time for which one action is waited for before jobs start, seconds. */
    public static final long LONGEST_BLOCK = 30;

    /** How often an action is tried again at the most. */
    static final int MOST_RETRIES = 100;

    public TriggerSpec {
        requires = List.copyOf(requires);
        sets = List.copyOf(sets);
        unsets = List.copyOf(unsets);
        environment = List.copyOf(environment);
        flags = List.copyOf(flags);
    }

    /** Returns whether it has {@code flag}. */
    public boolean has(String flag) {
        return flags.contains(flag);
    }

    /** Returns the user whom it names to run its program as; null when it names none. */
    public @Nullable String namedUser() {
        for (String flag : flags) {
            if (flag.startsWith(AS_USER)) {
                return flag.substring(AS_USER.length());
            }
        }
        return null;
    }

    /** Says why {@code principal}, who is no administrator, may not have it run a program as who it names; null when he may. */
    public @Nullable String beyond(String principal) {
        String named = namedUser();
        return named == null || named.equals(principal)
                ? null
                : "flag user+" + named + " runs a program as another user than " + principal
                        + ", which is the administrators' (ADMINCFG[1]); leave the name away for the object's owner";
    }

    /** Returns the names of the variables that a success sets. */
    public List<String> wanted() {
        return sets.stream()
                .filter(change -> !change.onFailure())
                .map(VariableChange::name)
                .toList();
    }

    /** Says why it cannot belong to an object of {@code objectType}; null when it can. */
    public @Nullable String misfit(String objectType) {
        if (!event.fits(objectType)) {
            return "EType " + event.word() + " does not exist for " + objectType;
        }
        TriggerThreshold passed = threshold;
        if (passed != null && !passed.fits(objectType)) {
            return "Threshold " + passed.measured() + " is not measured for " + objectType;
        }
        if (interval && rearmSeconds == 0) {
            return "Interval is TRUE without RearmTime; state how often it fires, as in RearmTime=5:00";
        }
        boolean onJobs = List.of("node", "job", "rsv").contains(objectType);
        return (kind == TriggerActionKind.JOBACTION || kind == TriggerActionKind.JOBPREEMPT) && !onJobs
                ? "AType " + kind.word() + " needs an object with jobs"
                : kind == TriggerActionKind.CANCEL && !List.of("job", "rsv").contains(objectType)
                        ? "AType cancel needs a job or a reservation"
                        : unfit(objectType);
    }

    /** Says why its action can never be carried out on an object of {@code objectType}; null when it can. */
    private @Nullable String unfit(String objectType) {
        try {
            switch (kind) {
                case INTERNAL -> {
                    return InternalOrder.read(action).misfit(objectType);
                }
                case EXEC -> ProgramWords.read(action);
                case HTTP -> HttpCall.read(action);
                case SNMP -> Trap.read(action);
                case DBUPDATE -> DatabaseUpdate.read(action);
                case EVENT -> RaisedEvent.read(action);
                case CHANGEPARAM -> ChangedSetting.read(action);
                case JOBPREEMPT, JOBACTION -> JobOrder.read(action);
                case MAIL, CANCEL -> {
                    return null;
                }
            }
            return null;
        } catch (UnfitActionException e) {
            return e.reason();
        }
    }

    /** Returns after how long it may fire again, seconds; with an interval at least one. */
    public long rearm() {
        return interval ? Math.max(1, rearmSeconds) : rearmSeconds;
    }

    /** Returns for how long no job starts while its action is awaited, seconds; 0 for not at all. */
    public long blocks() {
        return Math.min(blockSeconds, LONGEST_BLOCK);
    }

    /** Returns what is written and has no effect on an object of {@code objectType}, or not the whole, for whoever wrote it. */
    public List<String> remarks(String objectType) {
        List<String> remarks = new ArrayList<>();
        if (event == TriggerEvent.FAIL && objectType.equals("scheduler")) {
            remarks.add("EType fail: a scheduler that fails on its cluster fires no triggers, so that it never fires;"
                    + " a notification tells of it");
        }
        if (has(CHECKPOINT)) {
            remarks.add("flag checkpoint has no effect: every trigger goes on after a restart of the scheduler");
        }
        if (maxRetry == MOST_RETRIES) {
            remarks.add("MaxRetry is " + MOST_RETRIES + ", the most that is tried");
        }
        if (blockSeconds > LONGEST_BLOCK) {
            remarks.add("BlockTime is " + blockSeconds + " seconds; no more than " + LONGEST_BLOCK + " are waited");
        }
        long longest = kind == TriggerActionKind.EXEC
                ? LONGEST_PROGRAM
                : kind == TriggerActionKind.HTTP ? LONGEST_REQUEST : Long.MAX_VALUE;
        if (timeoutSeconds > longest) {
            remarks.add(
                    "Timeout is " + timeoutSeconds + " seconds; AType " + kind.word() + " is ended after " + longest);
        }
        String named = namedUser();
        if ((has(AS_OWNER) || named != null) && kind != TriggerActionKind.EXEC) {
            remarks.add("flag user has no effect: AType " + kind.word() + " runs no program");
        } else if (has(AS_OWNER) && !List.of("job", "rsv").contains(objectType)) {
            remarks.add("flag user: a " + objectType + " has no owner, so that the program is not run; name the user,"
                    + " user+NAME");
        }
        for (String flag : List.of(OBJECT_XML, CLEANUP)) {
            if (has(flag) && kind != TriggerActionKind.EXEC) {
                remarks.add("flag " + flag + " has no effect: AType " + kind.word() + " runs no program");
            }
        }
        return remarks;
    }

    /** Says why the owner of a job may not have it; null when he may: what reaches beyond his job is the operators'. */
    public @Nullable String beyondOwner() {
        if (blockSeconds > 0) {
            return "BlockTime is the operators'";
        }
        return switch (kind) {
            case MAIL, CANCEL, JOBACTION, JOBPREEMPT -> null;
            case INTERNAL ->
                action.startsWith("job:-:")
                        ? null
                        : "AType internal is for job:-: only when the owner of a job says it";
            case EXEC, HTTP, SNMP, DBUPDATE, EVENT, CHANGEPARAM -> "AType " + kind.word() + " is the operators'";
        };
    }
}
