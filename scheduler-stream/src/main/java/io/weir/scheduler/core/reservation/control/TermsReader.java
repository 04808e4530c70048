package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.policy.language.value.CredentialName;
import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.scheduler.core.reservation.ReservationFlag;
import io.weir.scheduler.core.reservation.TermsEdit;
import io.weir.scheduler.core.reservation.acl.AccessControlList;
import io.weir.scheduler.core.trigger.TriggerNames;
import io.weir.scheduler.core.trigger.TriggerSpec;
import io.weir.scheduler.core.trigger.TriggerText;
import io.weir.scheduler.core.trigger.TriggeredObject;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the terms of a reservation from the arguments of a request, without time and nodes. */
final class TermsReader {
    private static final Set<String> ACCOUNTABLE = Set.of("aaccount", "auser", "aqos", "agroup");

    /** Text that may be none, and what is a switch. */
    private static final Set<String> BLANK_ALLOWED = Set.of("comment", "exclusive", "message");

    /** Most tasks of one reservation. */
    static final int MOST_TASKS = Limit.PROCS;

    /** Characters that the lists of one reservation have together. */
    private static final int MOST_TEXT = 100_000;

    private TermsReader() {}

    /**
     * Refuses what is given and says nothing, such as {@code -h ""}: it would mean everything, or be lost, and was hardly
     * meant.
     */
    static void refuseBlank(ReservationRequest ask) throws Refusal {
        for (String name : ask.form().values().keySet()) {
            for (String value : ask.all(name)) {
                if (Operand.of(value).text().isBlank() && !BLANK_ALLOWED.contains(name)) {
                    throw new Refusal("argument " + name + " is empty; give a value"
                            + (name.equals("hostexp") ? ", ALL for every node," : "") + " or leave it out");
                }
            }
        }
    }

    static void read(ReservationRequest ask, TermsEdit edit) throws Refusal {
        if (ask.has("acl")) {
            AccessControlList.Reading reading = edit.acl().modified(String.join(",", ask.all("acl")));
            if (!reading.problems().isEmpty()) {
                throw new Refusal(reading.problems().get(0), reading.problems());
            }
            edit.acl(reading.list());
        }
        subtype(ask, edit);
        for (String value : ask.all("flags")) {
            edit.flags(changed(edit.flags(), flags(Operand.of(value))));
        }
        if (ask.has("exclusive")) {
            edit.flags(
                    changed(edit.flags(), new Change(Operand.Action.ADD, List.of(ReservationFlag.EXCLUSIVE.name()))));
        }
        text(ask, "comment", edit::comment);
        name(ask, "group", edit::group);
        name(ask, "label", edit::label);
        text(ask, "partition", edit::partition);
        String owner = ask.last("owner");
        if (owner != null) {
            String value = bounded("owner", Operand.of(owner).text(), Limit.NAME_LENGTH);
            legal("owner", value.substring(value.indexOf(':') + 1));
            edit.owner(value.isEmpty() || value.contains(":") ? emptyAsNull(value) : "USER:" + value);
        }
        String features = ask.last("features");
        if (features != null) {
            edit.features(words(Operand.of(features).text()));
        }
        String resources = ask.last("resources");
        if (resources != null) {
            TaskText task = TaskText.of(Operand.of(resources).text());
            if (task.problem() != null) {
                throw new Refusal(task.problem());
            }
            edit.task(task.task());
        }
        String priority = ask.last("priority");
        if (priority != null) {
            edit.priority(number(Operand.of(priority).text(), "priority", Integer.MIN_VALUE));
        }
        messages(ask, edit);
        pairs(ask, edit);
        long characters = edit.characters();
        if (characters > MOST_TEXT) {
            throw new Refusal("its access list, features and variables have " + characters + " characters; at most "
                    + MOST_TEXT + " are allowed");
        }
        if (ask.all("trigger").size() > TriggeredObject.MOST_OWN) {
            throw new Refusal("a reservation may have up to " + TriggeredObject.MOST_OWN + " triggers of its own");
        }
        String name = TriggerNames.repeated(List.of(), ask.all("trigger"));
        if (name != null) {
            throw new Refusal("name " + name + " stands for two triggers");
        }
        for (String trigger : ask.all("trigger")) {
            TriggerText.Reading reading = TriggerText.read(trigger);
            TriggerSpec spec = reading.spec();
            String problem = spec == null ? reading.problem() : spec.misfit("rsv");
            if (problem != null) {
                throw new Refusal("trigger '" + trigger + "': " + problem);
            }
        }
    }

    /** Returns the task count {@code text} stands for, {@link ReservationNodeSelector#ALL_TASKS} for ALL. */
    static int tasks(String text) throws Refusal {
        return text.equalsIgnoreCase("ALL") ? ReservationNodeSelector.ALL_TASKS : taskNumber(text);
    }

    /** Returns the number of tasks {@code text} stands for, at least 1; ALL is none. */
    static int taskNumber(String text) throws Refusal {
        return number(text, "task count", 1);
    }

    private static void subtype(ReservationRequest ask, TermsEdit edit) throws Refusal {
        String given = ask.last("subtype");
        if (given == null) {
            return;
        }
        String text = Operand.of(given).text();
        String name = NodeCategory.named(text);
        if (name == null) {
            throw new Refusal("unknown subtype '" + text + "'; one of " + NodeCategory.legal());
        }
        edit.subtype(name);
    }

    /** Each is added, {@code -=} takes one back, and an empty one all of them. */
    private static void messages(ReservationRequest ask, TermsEdit edit) throws Refusal {
        for (String value : ask.all("message")) {
            Operand operand = Operand.of(value);
            String text = bounded("message", operand.text(), Limit.NOTE_LENGTH);
            if (operand.action() == Operand.Action.TAKE || text.isBlank()) {
                edit.withoutMessage(emptyAsNull(text.strip()));
            } else {
                edit.message(text);
            }
        }
    }

    private static void pairs(ReservationRequest ask, TermsEdit edit) throws Refusal {
        for (String value : ask.all("variable")) {
            Operand operand = Operand.of(value);
            String[] pair = operand.text().split("=", 2);
            if (pair[0].isBlank()) {
                throw new Refusal("variable '" + operand.text() + "' has no name; NAME or NAME=VALUE is needed");
            }
            if (operand.action() == Operand.Action.TAKE) {
                edit.variables().remove(pair[0]);
            } else {
                edit.variables().put(pair[0], pair.length == 2 ? pair[1] : "");
            }
        }
        for (String value : ask.all("accountable")) {
            Operand operand = Operand.of(value);
            for (String item : operand.text().split(",", -1)) {
                String[] pair = item.split("=", 2);
                String key = pair[0].toLowerCase(Locale.ROOT);
                if (!ACCOUNTABLE.contains(key)) {
                    throw new Refusal("'" + item + "' is no accountable credential; write aaccount=, auser=, aqos= or"
                            + " agroup=<name>");
                }
                if (operand.action() == Operand.Action.TAKE || pair.length < 2 || pair[1].isEmpty()) {
                    edit.accountable().remove(key);
                } else {
                    legal(key, pair[1]);
                    edit.accountable().put(key, pair[1]);
                }
            }
        }
    }

    private record Change(Operand.Action action, List<String> words) {}

    private static Change flags(Operand operand) throws Refusal {
        List<String> flags = new ArrayList<>();
        for (String word : words(operand.text())) {
            String flag = word.toUpperCase(Locale.ROOT);
            if (!ReservationFlag.known(flag)) {
                List<String> known = new ArrayList<>();
                for (ReservationFlag each : ReservationFlag.values()) {
                    known.add(each.name());
                }
                throw new Refusal("unknown flag '" + word + "'; one of " + String.join(", ", known));
            }
            if (flag.equals(ReservationFlag.PREEMPTEE.name()) && operand.action() != Operand.Action.TAKE) {
                throw new Refusal(
                        "flag PREEMPTEE is not available: no reservation gives way to others; who may be preempted is"
                                + " said of jobs (QFLAGS, JOBFLAGS)");
            }
            flags.add(flag);
        }
        return new Change(operand.action(), flags);
    }

    private static List<String> changed(List<String> before, Change change) {
        List<String> after = new ArrayList<>(change.action() == Operand.Action.SET ? List.of() : before);
        if (change.action() == Operand.Action.TAKE) {
            after.removeAll(change.words());
        } else {
            after.addAll(change.words());
        }
        return after;
    }

    private interface Setter {
        void set(@Nullable String value);
    }

    private static void text(ReservationRequest ask, String name, Setter setter) throws Refusal {
        String value = ask.last(name);
        if (value != null) {
            setter.set(emptyAsNull(bounded(name, Operand.of(value).text(), Limit.NAME_LENGTH)));
        }
    }

    private static void name(ReservationRequest ask, String name, Setter setter) throws Refusal {
        String value = ask.last(name);
        if (value != null) {
            legal(name, Operand.of(value).text());
        }
        text(ask, name, setter);
    }

    private static void legal(String argument, String name) throws Refusal {
        String problem = CredentialName.problem(name);
        if (!problem.isEmpty()) {
            throw new Refusal(argument + ": " + problem);
        }
    }

    private static String bounded(String name, String text, int most) throws Refusal {
        if (text.length() > most || text.chars().anyMatch(Character::isISOControl)) {
            throw new Refusal(name + " has " + text.length() + " characters; up to " + most
                    + " are allowed, and no control characters");
        }
        return text;
    }

    private static @Nullable String emptyAsNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        for (String word : text.split("[,:|;]", -1)) {
            if (!word.isBlank()) {
                words.add(word.trim());
            }
        }
        return words;
    }

    private static int number(String text, String what, int least) throws Refusal {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= MOST_TASKS) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new Refusal("'" + text + "' is no " + what);
    }
}
