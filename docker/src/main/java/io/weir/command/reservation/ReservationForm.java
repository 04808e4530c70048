package io.weir.command.reservation;

import io.weir.command.client.OperatorRequest;
import io.weir.scheduler.core.policy.language.value.BracketedNumbers;
import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.schemas.RequestKind;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code mrsvctl -c} and {@code setres} say of a reservation to be made. */
final class ReservationForm {
    @Option(
            names = "-a",
            paramLabel = "ACL",
            description = "Who may use it, such as user=john,user=steve; with -m, == replaces, += adds, -= removes.")
    private List<String> acl = List.of();

    @Option(names = "-b", paramLabel = "SUBTYPE", description = "Category of its nodes while it is active.")
    private @Nullable String subtype;

    @Option(names = "-d", paramLabel = "DURATION", description = "How long, as [D:]HH:MM:SS (default: INFINITY).")
    private @Nullable String duration;

    @Option(names = "-D", paramLabel = "TEXT", description = "Description.")
    private @Nullable String comment;

    @Option(names = "-e", paramLabel = "TIME", description = "End.")
    private @Nullable String end;

    @Option(names = "-E", description = "Exclusive: refused if anything conflicts.")
    private boolean exclusive;

    @Option(names = "-f", paramLabel = "FEATURES", description = "Features its nodes must have.")
    private @Nullable String features;

    @Option(names = "-F", paramLabel = "FLAGS", description = "Flags, comma-separated.")
    private @Nullable String flags;

    @Option(
            names = "-h",
            paramLabel = "HOSTS",
            description = "Nodes: a regular expression (n1 finds n10, too; ^n1$ does not), class:NAME, r:A-B, or names"
                    + " separated by commas.")
    private @Nullable String hosts;

    @Option(names = "-n", paramLabel = "NAME", description = "Name.")
    private @Nullable String name;

    @Option(names = "-o", paramLabel = "OWNER", description = "Owner, such as USER:anna.")
    private @Nullable String owner;

    @Option(names = "-p", paramLabel = "PARTITION", description = "Partition.")
    private @Nullable String partition;

    @Option(names = "-P", paramLabel = "PROFILE", description = "Profile to create it from.")
    private @Nullable String profile;

    @Option(names = "-R", paramLabel = "TASK", description = "Resources of a task, such as 'PROCS:2;MEM:512'.")
    private @Nullable String resources;

    @Option(
            names = "-s",
            paramLabel = "TIME",
            description = "Start: HH:MM[:SS][_MM/DD[/YY]], +TIME from now, or seconds since 1970 (default: now).")
    private @Nullable String start;

    @Option(
            names = "-S",
            paramLabel = "KEY=VALUE",
            description = "Accountable credential: aaccount, auser, agroup, aqos.")
    private List<String> accountable = List.of();

    @Option(names = "-t", paramLabel = "COUNT", description = "Tasks, or ALL.")
    private @Nullable String tasks;

    @Option(names = "-T", paramLabel = "TRIGGER", description = "Trigger, as on TRIGGER lines of the configuration.")
    private List<String> triggers = List.of();

    @Option(names = "-V", paramLabel = "NAME[=VALUE]", description = "Variable.")
    private List<String> variables = List.of();

    @Option(names = "-x", paramLabel = "JOBS", description = "Jobs, comma-separated, see flag IGNJOBRSV.")
    private @Nullable String jobs;

    /** Says what is wrong with it as a reservation to be made; empty when nothing is. */
    String problem() {
        if (hosts == null && tasks == null) {
            return "A reservation needs nodes (-h) or tasks (-t)";
        }
        if (tasks != null && !tasks.matches("(?i)\\d{1,9}|all")) {
            return "-t " + tasks + " is no count of tasks; give a number of up to nine digits, or ALL";
        }
        if (hosts != null) {
            if (hosts.length() > Limit.REQUEST_VALUE) {
                return "-h has " + hosts.length() + " characters, and at most " + Limit.REQUEST_VALUE
                        + " are taken; name the nodes by r:A-B, class:NAME or a regular expression, or make the reservation"
                        + " with some of them and add others by mrsvctl -m hostexp+=NODES";
            }
            try {
                Pattern.compile(hosts);
            } catch (PatternSyntaxException e) {
                return "-h " + hosts + " is no regular expression: " + e.getDescription();
            }
            Optional<BracketedNumbers> numbers = BracketedNumbers.in(hosts);
            if (numbers.isPresent()) {
                return "-h " + hosts + " " + numbers.get().advice();
            }
        }
        if (subtype != null && NodeCategory.named(subtype) == null) {
            return "-b " + subtype + " is no subtype; there are " + NodeCategory.legal();
        }
        if (duration != null && TimeArgument.duration(duration) == TimeArgument.INVALID) {
            return "-d " + duration + " is no duration; give [[[DD:]HH:]MM:]SS of up to a century, or INFINITY";
        }
        for (String time : new String[] {start, end}) {
            if (time != null && TimeArgument.instant(time, 0) == TimeArgument.INVALID) {
                return (time.equals(start) ? "-s " : "-e ") + time
                        + " is no time; give HH[:MM[:SS]][_MO[/DD[/YY]]], +TIME from now, or seconds since 1970";
            }
        }
        for (String pair : accountable) {
            if (pair.indexOf('=') < 1) {
                return "-S " + pair + " is not understood; give aaccount=, auser=, agroup= or aqos=NAME";
            }
        }
        for (String variable : variables) {
            if (variable.isEmpty() || variable.charAt(0) == '=') {
                return "-V " + variable + " has no name; give NAME or NAME=VALUE";
            }
        }
        return "";
    }

    /** Returns the options that were given, by their letters. */
    List<String> given() {
        List<String> given = new ArrayList<>();
        option(given, "-a", !acl.isEmpty());
        option(given, "-b", subtype != null);
        option(given, "-d", duration != null);
        option(given, "-D", comment != null);
        option(given, "-e", end != null);
        option(given, "-E", exclusive);
        option(given, "-f", features != null);
        option(given, "-F", flags != null);
        option(given, "-h", hosts != null);
        option(given, "-n", name != null);
        option(given, "-o", owner != null);
        option(given, "-p", partition != null);
        option(given, "-P", profile != null);
        option(given, "-R", resources != null);
        option(given, "-s", start != null);
        option(given, "-S", !accountable.isEmpty());
        option(given, "-t", tasks != null);
        option(given, "-T", !triggers.isEmpty());
        option(given, "-V", !variables.isEmpty());
        option(given, "-x", jobs != null);
        return given;
    }

    private static void option(List<String> given, String option, boolean present) {
        if (present) {
            given.add(option);
        }
    }

    /** Returns the request to make it. */
    OperatorRequest request(@Nullable String group) {
        OperatorRequest request = OperatorRequest.about(RequestKind.CREATE_RESERVATION, "-")
                .withOptional("acl", acl.isEmpty() ? null : String.join(",", acl))
                .withOptional("subtype", subtype)
                .withOptional("duration", duration)
                .withOptional("comment", comment)
                .withOptional("end", end)
                .withOptional("exclusive", exclusive ? "true" : null)
                .withOptional("features", features)
                .withOptional("flags", flags)
                .withOptional("group", group)
                .withOptional("hostexp", hosts)
                .withOptional("name", name)
                .withOptional("owner", owner)
                .withOptional("partition", partition)
                .withOptional("profile", profile)
                .withOptional("resources", resources)
                .withOptional("start", start)
                .withOptional("tasks", tasks)
                .withOptional("joblist", jobs);
        for (String pair : accountable) {
            request = request.with("accountable", pair);
        }
        for (String trigger : triggers) {
            request = request.with("trigger", trigger);
        }
        for (String variable : variables) {
            request = request.with("variable", variable);
        }
        return request;
    }

    /** Adds what may also stand beside {@code -m}: all but {@code -f} and {@code -p}, which only make a reservation. */
    OperatorRequest changes(OperatorRequest request, @Nullable String group) {
        OperatorRequest changed = request;
        for (String entry : acl) {
            changed = changed.with("acl", entry);
        }
        changed = change(changed, "duration", duration);
        changed = change(changed, "starttime", start);
        changed = change(changed, "endtime", end);
        changed = change(changed, "hostexp", hosts);
        changed = change(changed, "tasks", tasks);
        changed = change(changed, "flags", flags);
        changed = change(changed, "owner", owner);
        changed = change(changed, "label", name);
        changed = change(changed, "group", group);
        changed = change(changed, "comment", comment);
        changed = change(changed, "subtype", subtype);
        changed = change(changed, "profile", profile);
        changed = change(changed, "resources", resources);
        changed = changed.withOptional("exclusive", exclusive ? "true" : null).withOptional("jobs", jobs);
        for (String trigger : triggers) {
            changed = changed.with("trigger", trigger);
        }
        for (String pair : accountable) {
            changed = changed.with("accountable", "=" + pair);
        }
        for (String variable : variables) {
            changed = changed.with("variable", "=" + variable);
        }
        return changed;
    }

    private static OperatorRequest change(OperatorRequest request, String attribute, @Nullable String text) {
        if (text == null) {
            return request;
        }
        boolean operator = text.startsWith("+=") || text.startsWith("-=") || text.startsWith("=");
        return request.with(attribute, operator ? text : "=" + text);
    }
}
