package io.weir.scheduler.core.policy.language.parameter;

import static io.weir.scheduler.core.policy.language.value.ValueTypes.*;

import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry.Attributes;
import io.weir.scheduler.core.policy.language.value.BadValueException;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import io.weir.scheduler.core.policy.language.value.Token;
import io.weir.scheduler.core.policy.language.value.ValueType;
import java.util.List;
import java.util.Locale;

/** Parameters about events, notifications and accounting. */
final class EventEntries {
    private static final List<String> ACTIONS = List.of(
            "NOTIFY",
            "RECORD",
            "EXECUTE",
            "DISABLE",
            "FAILING",
            "RESERVE",
            "OFF",
            "ON",
            "RESET",
            "PREEMPT",
            "SIGNAL",
            "OBJECTMESSAGE");

    private EventEntries() {}

    static void define(ParameterRegistry r) {
        r.area("Events and notifications");
        r.object(
                "GEVENTCFG",
                IndexRule.NAME,
                "What happens on an event, or when a metric passes a value, as in GEVENTCFG[temp>50].",
                new Attributes()
                        .with(
                                "ACTION",
                                ValueType.of("action[:argument]", EventEntries::action)
                                        .list()
                                        .as("list of " + String.join(", ", ACTIONS)),
                                "What to do, in order.")
                        .with("ECOUNT", POSITIVE, "1", "Occurrences before anything is done.")
                        .with("REARM", TIME, "0", "Shortest time between two firings for one object.")
                        .elsewhere(
                                "the reduction of metrics",
                                "HYSTERESIS",
                                RATE,
                                "0",
                                "Metric conditions: how far the value has to come back before the condition is over.")
                        .elsewhere(
                                "the reduction of metrics",
                                "SMOOTHING",
                                TIME,
                                "0",
                                "Metric conditions: time constant of the moving average that is compared; 0 compares"
                                        + " each value.")
                        .with("SEVERITY", ValueType.whole(1, 4), "How grave it is.")
                        .with("ESCALATE", ValueType.text("time:action[;time:action]"), "What to do if it lasts."));
        r.object(
                "GMETRICCFG",
                IndexRule.NAME,
                "A metric of nodes that the scheduler is told of; those that a PRIORITYF weighs need none.",
                new Attributes()
                        .elsewhere(
                                "the reduction of metrics",
                                "RESOLUTION",
                                RATE,
                                "0",
                                "How far the value has to move before it is told again; 0 means a hundredth of what was"
                                        + " told last.")
                        .elsewhere(
                                "the reduction of metrics",
                                "SMOOTHING",
                                TIME,
                                "0",
                                "Time constant of the moving average that is told; 0 tells the value itself.")
                        .elsewhere(
                                "the reduction of metrics",
                                "INTERVAL",
                                TIME,
                                "1:00",
                                "Shortest time between two reports of one node; at least 10 s."));
        r.pending("MAILPROGRAM", PROGRAM.as("DEFAULT, NONE, path or smtp://host[:port]"), "NONE", "How mail goes out.");
        r.plain(
                "MAILDOMAIN",
                ValueType.pattern("a domain", "[A-Za-z0-9][A-Za-z0-9.-]{0,252}"),
                null,
                "Domain put behind bare user names that something is mailed to.");
        r.pending("NOTIFICATIONPROGRAM", PROGRAM, null, "Program called with each notification.");
        r.object(
                "DBCFG",
                IndexRule.NAME,
                "A database that triggers may write to.",
                new Attributes()
                        .pending("URL", URL, "Its JDBC address.")
                        .pending("USER", TEXT, "User to connect as.")
                        .pending("PASSWORDFILE", PROGRAM, "File that holds the password."));
        r.area("Accounting");
        r.object(
                "AMCFG",
                IndexRule.ZERO,
                "Where charges go.",
                new Attributes()
                        .pending("SERVER", URL, "file://, http(s)://, exec:// or kafka:// address.")
                        .with(
                                "FLUSHINTERVAL",
                                ValueType.choice("HOUR", "DAY", "WEEK", "MONTH")
                                        .or(token -> ValueType.intervalOf(token.text(), false))
                                        .as("time, HOUR, DAY, WEEK or MONTH"),
                                "24:00:00",
                                "How often running jobs are charged; a minute at the least.")
                        .with(
                                "CHARGEPOLICY",
                                ValueType.choice(
                                        "DEBITALLWC", "DEBITSUCCESSFULWC", "DEBITALLCPU", "DEBITSUCCESSFULCPU"),
                                "DEBITALLWC",
                                "Which jobs are charged, and for what.")
                        .with(
                                "REFUNDPOLICY",
                                ValueType.choice("NONE", "SYSTEMFAILURE"),
                                "NONE",
                                "Whether runs that a failed node ended are given back.")
                        .with(
                                "TIMEOUT",
                                TIME,
                                "10",
                                "How long the server may take to say whether a job can be paid for.")
                        .with(
                                "FALLBACKACCOUNT",
                                TEXT,
                                "Account that a job belongs to, and is charged to, when its own cannot pay.")
                        .with(
                                "DEFERJOBONFAILURE",
                                FLAG,
                                "FALSE",
                                "Whether a job is deferred that nobody pays for, or of which the server says nothing.")
                        .pending("RETRYFAILEDCHARGES", FLAG, "TRUE", "Whether charges that failed are sent again."));
        r.pending("ACCOUNTINGINTERFACEURL", URL, null, "exec://, file:// or kafka:// address for accounting records.");
    }

    private static PolicyValue action(Token token) throws BadValueException {
        String text = token.text();
        int colon = text.indexOf(':');
        String name = (colon < 0 ? text : text.substring(0, colon)).toUpperCase(Locale.ROOT);
        if (!ACTIONS.contains(name)) {
            throw new BadValueException("'" + token + "' is not an action; one of " + String.join(", ", ACTIONS));
        }
        return new PolicyValue.Text(colon < 0 ? name : name + text.substring(colon));
    }
}
