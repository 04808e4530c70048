package io.weir.scheduler.core.policy.language.value;

import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The types that several parameters share, or that have a small form of their own. */
public final class ValueTypes {
    public static final int MOST = Integer.MAX_VALUE;

    public static final ValueType FLAG = ValueType.flag();
    public static final ValueType COUNT = ValueType.whole(0, MOST);
    public static final ValueType POSITIVE = ValueType.whole(1, MOST);
    public static final ValueType LIMIT = ValueType.limit(0);
    public static final ValueType WEIGHT =
            ValueType.whole(-1_000_000_000L, 1_000_000_000L).as("integer");
    public static final ValueType MEGABYTES = ValueType.megabytes();
    public static final ValueType TIME = ValueType.interval();
    public static final ValueType TIME_OR_NEVER = ValueType.intervalOrNever();
    public static final ValueType TEXT = ValueType.text();
    public static final ValueType NAMES = ValueType.text("name").list();
    public static final ValueType RATE = ValueType.decimal(0, Limit.RATE);
    public static final ValueType NUMBER = ValueType.decimal(-Limit.RATE, Limit.RATE);
    public static final ValueType URL = ValueType.text("URL");
    public static final ValueType PROGRAM = ValueType.text("path");

    public static final ValueType ALLOCATION = ValueType.choices(
                    List.of(
                            "FIRSTAVAILABLE",
                            "LASTAVAILABLE",
                            "PRIORITY",
                            "CPULOAD",
                            "MINRESOURCE",
                            "CONTIGUOUS",
                            "MAXBALANCE",
                            "FASTEST",
                            "LOCAL",
                            "PLUGIN:name"),
                    Map.of("MACHINEPRIO", "PRIORITY"))
            .or(ValueTypes::plugin);

    public static final ValueType NODE_ACCESS = ValueType.choice(
            "SHARED",
            "SHAREDONLY",
            "SINGLEJOB",
            "SINGLETASK",
            "SINGLEUSER",
            "SINGLEGROUP",
            "SINGLEACCOUNT",
            "UNIQUEUSER");

    public static final ValueType RESERVATION_POLICY = ValueType.choice("CURRENTHIGHEST", "HIGHEST", "NEVER");

    public static final ValueType REALLOCATION = ValueType.choice("NEVER", "FAILURE", "OPTIMAL", "REMAP");

    private static final ValueType FAILURE_ACTION =
            ValueType.choice("CANCEL", "FAIL", "HOLD", "IGNORE", "NOTIFY", "REQUEUE", "MIGRATE");

    public static final ValueType FAILURE_POLICY = FAILURE_ACTION
            .or(ValueTypes::masterOnly)
            .as("CANCEL, FAIL, HOLD, IGNORE, NOTIFY, REQUEUE, MIGRATE; each with * for the master task only");

    public static final ValueType AVAILABILITY = ValueType.of("policy[:resource]", ValueTypes::availability)
            .list()
            .as("list of DEDICATED, UTILIZED or COMBINED, each with :PROC, :MEM, :SWAP, :DISK or for all");

    public static final ValueType RESOURCE_LIMIT = ValueType.of("limit", ValueTypes::resourceLimit)
            .words()
            .as("list of CPUTIME, WALLTIME, PROC, MEM, SWAP or DISK:ALWAYS or EXTENDEDVIOLATION"
                    + ":CANCEL, REQUEUE, SUSPEND or NOTIFY[:time]");

    public static final ValueType NODE_SET = ValueType.of("policy:attribute[:list]", ValueTypes::nodeSet);

    public static final ValueType CATEGORY = ValueType.choices(NodeCategory.labels(), NodeCategory.shortcuts());

    public static final ValueType TARGET =
            ValueType.pattern("50, 50+ (floor) or 50- (ceiling)", "[0-9]+(\\.[0-9]*)?%?[+-]?%?");

    public static final ValueType FEATURE_HEADER = ValueType.pattern("a prefix, or prefix$", "[^\\s$]+\\$?");

    public static final ValueType COUNTED = ValueType.of("name[:count]", ValueTypes::counted);

    public static final ValueType VARIABLE = ValueType.pattern("name or name=value", "[^=\\s]+(=.*)?");

    public static final ValueType TASK_RESOURCES =
            ValueType.of("resource:amount", ValueTypes::taskResource).list(";").as("PROCS:n;MEM:n;SWAP:n;DISK:n");

    public static final ValueType ACL =
            ValueType.verbatim("access entry").list(":|").as("list with modifiers");

    public static final ValueType TASKS_PER_NODE = ValueType.pattern("n, or n+ for at least", "[0-9]{1,9}\\+?");

    public static final ValueType OWNER =
            ValueType.pattern("CREDTYPE:id", "(?i)(USER|GROUP|ACCT|ACCOUNT|CLASS|QOS):[^:\\s]+");

    private ValueTypes() {}

    private static PolicyValue plugin(Token token) throws BadValueException {
        String text = token.text();
        if (text.regionMatches(true, 0, "PLUGIN:", 0, 7) && text.length() > 7) {
            return new PolicyValue.Text("PLUGIN:" + text.substring(7));
        }
        throw new BadValueException("'" + text + "' names no plug-in");
    }

    private static PolicyValue masterOnly(Token token) throws BadValueException {
        String text = token.text();
        if (!text.endsWith("*")) {
            throw new BadValueException("'" + text + "' has no asterisk");
        }
        return new PolicyValue.Text(
                FAILURE_ACTION.item(text.substring(0, text.length() - 1)).text() + "*");
    }

    private static PolicyValue availability(Token token) throws BadValueException {
        String[] parts = token.text().toUpperCase(Locale.ROOT).split(":", -1);
        String policy = oneOf(parts[0], "a policy", "DEDICATED", "UTILIZED", "COMBINED");
        if (parts.length == 1) {
            return new PolicyValue.Text(policy);
        }
        if (parts.length > 2) {
            throw new BadValueException("'" + token + "' has to look like policy:resource");
        }
        String resource = parts[1].equals("PROCS") ? "PROC" : parts[1];
        return new PolicyValue.Text(policy + ":" + oneOf(resource, "a resource", "PROC", "MEM", "SWAP", "DISK"));
    }

    private static PolicyValue resourceLimit(Token token) throws BadValueException {
        String[] parts = token.text().split(":", 4);
        if (parts.length < 3) {
            throw new BadValueException("'" + token + "' has to look like RESOURCE:POLICY:ACTION[:TIME]");
        }
        String resource = oneOf(
                parts[0].toUpperCase(Locale.ROOT), "a resource", "CPUTIME", "WALLTIME", "PROC", "MEM", "SWAP", "DISK");
        String policy = oneOf(parts[1].toUpperCase(Locale.ROOT), "a policy", "ALWAYS", "EXTENDEDVIOLATION");
        String action = oneOf(parts[2].toUpperCase(Locale.ROOT), "an action", "CANCEL", "REQUEUE", "SUSPEND", "NOTIFY");
        long time = parts.length > 3 ? PolicyTime.seconds(parts[3]) : 0;
        if (time < 0) {
            throw new BadValueException("'" + parts[3] + "' in '" + token + "' is not a time; write [[[DD:]HH:]MM:]SS");
        }
        if (policy.equals("EXTENDEDVIOLATION") && parts.length < 4) {
            throw new BadValueException(
                    "'" + token + "' needs how long a violation may last: …:EXTENDEDVIOLATION:" + action + ":TIME");
        }
        return new PolicyValue.Text(
                resource + ":" + policy + ":" + action + (parts.length > 3 ? ":" + PolicyTime.format(time) : ""));
    }

    private static PolicyValue nodeSet(Token token) throws BadValueException {
        return new PolicyValue.Text(NodeSetText.parse(token.text()).text());
    }

    private static PolicyValue counted(Token token) throws BadValueException {
        String text = token.text();
        int colon = text.indexOf(':');
        if (colon == 0 || (colon < 0 && text.isEmpty())) {
            throw new BadValueException("'" + token + "' has to look like name or name:count");
        }
        long count = colon < 0 ? 1 : ValueType.wholeOf(text.substring(colon + 1), 0, MOST);
        return new PolicyValue.Text((colon < 0 ? text : text.substring(0, colon)) + ":" + count);
    }

    private static PolicyValue taskResource(Token token) throws BadValueException {
        String text = token.text();
        int split = Math.max(text.indexOf('='), text.indexOf(':'));
        if (text.indexOf('=') > 0 && text.indexOf(':') > 0) {
            split = Math.min(text.indexOf('='), text.indexOf(':'));
        }
        String name = (split < 0 ? text : text.substring(0, split)).toUpperCase(Locale.ROOT);
        String amount = split < 0 ? "" : text.substring(split + 1);
        return new PolicyValue.Text(
                switch (name) {
                    case "PROC", "PROCS" ->
                        "PROCS:" + (amount.equals("-1") ? amount : ValueType.wholeOf(amount, 1, Limit.PROCS));
                    case "MEM", "MEMORY" -> "MEM:" + ValueType.megabytesOf(amount);
                    case "SWAP", "DISK" -> name + ":" + ValueType.megabytesOf(amount);
                    default ->
                        throw new BadValueException("'" + token + "' has to look like PROCS:n, MEM:n, SWAP:n or DISK:n;"
                                + " a reservation can hold nothing else");
                });
    }

    /** Returns {@code text} when it is one of {@code names}. */
    static String oneOf(String text, String what, String... names) throws BadValueException {
        List<String> known = new ArrayList<>(List.of(names));
        if (!known.contains(text)) {
            throw new BadValueException("'" + text + "' is not " + what + "; one of " + String.join(", ", known)
                    + Suggestion.didYouMean(text, known));
        }
        return text;
    }
}
