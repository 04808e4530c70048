package io.weir.scheduler.core.reservation.acl;

import io.weir.scheduler.core.policy.language.value.CredentialName;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of access control lists: {@code TYPE<op>VALUE} with modifiers, separated by commas, several values of one
 * type by colons. Modifiers stand on either side of a value; the right side is read from right to left, then the left side
 * from left to right, and of those that exclude each other the last one read wins. One parser reads one text.
 */
final class AclParser {
    /** What an item does to a list. */
    enum Kind {
        /** Takes the place of what was there of its type. */
        REPLACE,
        /** Comes in addition. */
        ADD,
        /** Goes. */
        REMOVE
    }

    /** One item. */
    record Change(Kind kind, AclType type, List<AclEntry> entries) {
        Change {
            entries = List.copyOf(entries);
        }
    }

    private static final String MODIFIERS = "+-=!*^&~";
    private static final String[] OPERATORS = {"==", "+=", "-=", "<=", ">=", "!=", "=", "<", ">"};

    private final String text;
    private final List<String> problems = new ArrayList<>();

    AclParser(String text) {
        this.text = text;
    }

    List<String> problems() {
        return problems;
    }

    List<Change> parse() {
        List<Change> changes = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            String trimmed = item.trim();
            if (!trimmed.isEmpty()) {
                Change change = item(trimmed);
                if (change != null) {
                    changes.add(change);
                }
            }
        }
        return changes;
    }

    private @Nullable Change item(String item) {
        int letters = 0;
        while (letters < item.length() && Character.isLetter(item.charAt(letters))) {
            letters++;
        }
        String operator = operator(item, letters);
        AclType type = AclType.named(item.substring(0, letters));
        if (operator == null || type == null) {
            problems.add(
                    "'" + item + "' is not TYPE==VALUE with one of the types USER, GROUP, ACCT, CLASS, QOS, JOB, RSV,"
                            + " JATTR, DURATION, PROC, PS");
            return null;
        }
        Kind kind = operator.equals("+=") ? Kind.ADD : operator.equals("-=") ? Kind.REMOVE : Kind.REPLACE;
        Comparison comparison = comparison(operator, type);
        if (!type.numeric() && comparison != Comparison.EQUAL && comparison != Comparison.DIFFERENT) {
            problems.add("'" + item + "': " + type + " is a name and compares with == or != only");
            return null;
        }
        List<AclEntry> entries = new ArrayList<>();
        String values = item.substring(letters + operator.length());
        for (String value : type.numeric() ? new String[] {values} : values.split(":", -1)) {
            add(entries, type, comparison, value.trim());
        }
        return entries.isEmpty() ? null : new Change(kind, type, entries);
    }

    private static @Nullable String operator(String item, int at) {
        for (String operator : OPERATORS) {
            if (item.startsWith(operator, at)) {
                return operator;
            }
        }
        return null;
    }

    /** An amount given without comparison is a limit. */
    private static Comparison comparison(String operator, AclType type) {
        for (Comparison comparison : Comparison.values()) {
            if (comparison.sign().equals(operator)) {
                return comparison;
            }
        }
        return type.numeric() ? Comparison.AT_MOST : Comparison.EQUAL;
    }

    private void add(List<AclEntry> entries, AclType type, Comparison comparison, String decorated) {
        int from = 0;
        int to = decorated.length();
        while (from < to && MODIFIERS.indexOf(decorated.charAt(from)) >= 0) {
            from++;
        }
        while (to > from && MODIFIERS.indexOf(decorated.charAt(to - 1)) >= 0) {
            to--;
        }
        Modifiers modifiers = new Modifiers();
        for (int i = decorated.length() - 1; i >= to; i--) {
            modifiers.read(decorated.charAt(i));
        }
        for (int i = 0; i < from; i++) {
            modifiers.read(decorated.charAt(i));
        }
        String value = decorated.substring(from, to);
        if (value.isEmpty()) {
            problems.add("'" + text + "': " + type + " has no value");
            return;
        }
        String problem = type.numeric() ? "" : CredentialName.problem(value);
        if (!problem.isEmpty()) {
            problems.add(type + ": " + problem);
            return;
        }
        long amount = 0;
        if (type.numeric()) {
            amount = amount(type, value);
            if (amount < 0) {
                problems.add("'" + value + "' is not " + (type == AclType.DURATION ? "a time" : "a number") + " for "
                        + type);
                return;
            }
            value = type == AclType.DURATION ? durationText(amount) : Long.toString(amount);
        }
        entries.add(
                new AclEntry(type, comparison, value, amount, modifiers.rule, modifiers.affinity, modifiers.hardOnly));
    }

    private static long amount(AclType type, String value) {
        if (type == AclType.DURATION) {
            return value.toUpperCase(Locale.ROOT).equals("INFINITY") ? Long.MAX_VALUE : PolicyTime.seconds(value);
        }
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static String durationText(long seconds) {
        if (seconds == Long.MAX_VALUE) {
            return "INFINITY";
        }
        long days = seconds / 86_400;
        String hours = Long.toString(seconds / 3600 % 24);
        String rest = ":" + twoDigits(seconds / 60 % 60) + ":" + twoDigits(seconds % 60);
        return days == 0 ? hours + rest : days + ":" + (hours.length() == 1 ? "0" : "") + hours + rest;
    }

    private static String twoDigits(long number) {
        return number < 10 ? "0" + number : Long.toString(number);
    }

    /** Modifiers of one value as far as they were read. */
    private static final class Modifiers {
        private AclRule rule = AclRule.ALLOW;
        private Affinity affinity = Affinity.POSITIVE;
        private boolean hardOnly;

        void read(char sign) {
            switch (sign) {
                case '+' -> affinity = Affinity.POSITIVE;
                case '-' -> affinity = Affinity.NEGATIVE;
                case '=' -> affinity = Affinity.NEUTRAL;
                case '!' -> rule = AclRule.DENY;
                case '*' -> rule = AclRule.REQUIRE;
                case '^' -> rule = AclRule.OTHERS;
                case '&' -> rule = AclRule.LOCK;
                default -> hardOnly = true;
            }
        }
    }
}
