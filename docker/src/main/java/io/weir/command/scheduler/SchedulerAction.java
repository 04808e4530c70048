package io.weir.command.scheduler;

import io.weir.command.client.OperatorRequest;
import io.weir.schemas.RequestKind;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code weir mschedctl} of which each says what is to be done, one at a time; those not given are null. */
final class SchedulerAction {
    static final String MESSAGE = "message";
    static final String TRIGGER = "trigger";
    static final String EVENT = "gevent";

    @Option(
            names = "-l",
            paramLabel = "config|message|trigger|gevent",
            description = "List the values in force and where they come from, the messages, the triggers, or the events"
                    + " of nodes.")
    @Nullable
    String list;

    @Option(
            names = "-c",
            paramLabel = "message|trigger|gevent",
            description = "Leave a message that showq shows to all users; add a trigger to an object; or raise an"
                    + " event.")
    @Nullable
    String create;

    @Option(
            names = "-d",
            paramLabel = "message:INDEX|trigger:ID",
            description = "Delete a message; or remove a trigger from a node or a job.")
    @Nullable
    String delete;

    @Option(
            names = "-R",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "FILE",
            description = "Read the configuration's file again, and what it includes (default: the file that the one in"
                    + " force came from). Changes made at run time are lost, unless they are persistent.")
    @Nullable
    String reload;

    @Option(names = "-p", description = "Pause scheduling.")
    boolean pause;

    @Option(
            names = "-r",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "TIME",
            description = "Resume scheduling, now or at HH:MM[:SS][_MM/DD[/YY]] or +[[DD:]HH:]MM:SS.")
    @Nullable
    String resume;

    @Option(
            names = "-s",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "ITERATION",
            description = "Stop scheduling after this iteration (default: the current one).")
    @Nullable
    String stop;

    @Option(
            names = "-S",
            arity = "0..1",
            fallbackValue = "1",
            paramLabel = "N",
            description = "Schedule for N iterations (default: 1), then stop.")
    @Nullable
    String step;

    @Option(
            names = "-f",
            paramLabel = "all|fairshare|usage",
            description = "Clear statistics: what jobs of credentials did (usage), past use as it counts for priority"
                    + " (fairshare), or both. Those of nodes stay.")
    @Nullable
    String clear;

    @Option(
            names = "-k",
            description = "Shut down the scheduler that serves the API. A standby, if there is one, takes over.")
    boolean kill;

    @Option(
            names = "-L",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "N",
            description = "Show how much the scheduler that serves the API logs, or have it log level N: 0 errors, 1"
                    + " warnings, 2-4 what happens (3 as it starts), 5-7 details, 8-9 everything. It holds until that"
                    + " process ends; other processes stay as they are.")
    @Nullable
    String logLevel;

    /** Returns whether none is given. */
    boolean isNothing() {
        return list == null
                && logLevel == null
                && create == null
                && delete == null
                && reload == null
                && resume == null
                && stop == null
                && step == null
                && clear == null
                && !pause
                && !kill;
    }

    /**
     * Returns the request that gives {@code owner}, such as {@code node:n1}, a message or a trigger, or takes one away.
     *
     * @param text the message or the trigger; null for none
     */
    OperatorRequest attachment(String owner, @Nullable String text) {
        String id = owner.substring(owner.indexOf(':') + 1);
        RequestKind kind = owner.startsWith("node:")
                ? RequestKind.MODIFY_NODE
                : owner.startsWith("job:") ? RequestKind.MODIFY_JOB : RequestKind.MODIFY_RESERVATION;
        return delete == null
                ? OperatorRequest.about(kind, id).withOptional(String.valueOf(create), text)
                : OperatorRequest.about(kind, id).with("untrigger", delete.substring(TRIGGER.length() + 1));
    }

    /**
     * Returns what is asked of the scheduler itself.
     *
     * @param text the message to leave; null for none
     */
    OperatorRequest control(@Nullable String text) {
        if (pause) {
            return action("pause");
        } else if (resume != null) {
            return action("resume").withOptional("at", resume.isEmpty() ? null : resume);
        } else if (stop != null) {
            return action("stop").withOptional("iteration", stop.isEmpty() ? null : stop);
        } else if (step != null) {
            return action("step").with("count", step);
        } else if (clear != null) {
            return action("clear").with("statistics", clear.toLowerCase(Locale.ROOT));
        } else if (kill) {
            return action("shutdown");
        } else if (logLevel != null) {
            return action("loglevel").with("level", logLevel);
        } else if (create != null) {
            return action("message").withOptional("text", text);
        }
        return action("unmessage").with("index", String.valueOf(delete).substring("message:".length()));
    }

    private static OperatorRequest action(String name) {
        return OperatorRequest.about(RequestKind.CONTROL_SCHEDULER, "").with("action", name);
    }
}
