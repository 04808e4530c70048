package io.weir.scheduler.core.policy.language.value;

import com.google.re2j.Pattern;
import io.weir.scheduler.core.bound.BadExpressionException;
import io.weir.scheduler.core.bound.Expression;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a parameter or attribute may hold: how its text is read, and how that is described to people. Immutable.
 *
 * <p>A list reports its bad items one by one and keeps the others; every other type takes exactly one word.
 */
public final class ValueType {
    private static final Pattern DECIMAL = Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?");
    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,18}");

    /** Reads one word, or one item of a list. */
    @FunctionalInterface
    public interface Form {
        /** Returns the value {@code word} stands for, or says why it stands for none. */
        public PolicyValue read(Token token) throws BadValueException;
    }

    private final String description;
    private final Form form;
    private final String separators;

    private ValueType(String description, Form form, String separators) {
        this.description = description;
        this.form = form;
        this.separators = separators;
    }

    /** A type of one word. */
    public static ValueType of(String description, Form form) {
        return new ValueType(description, form, "");
    }

    /** TRUE or FALSE, and the other ways to write them. */
    static ValueType flag() {
        return of("boolean", token -> switch (token.text().toUpperCase(Locale.ROOT)) {
            case "TRUE", "T", "YES", "Y", "ON", "1" -> new PolicyValue.Flag(true);
            case "FALSE", "F", "NO", "N", "OFF", "0" -> new PolicyValue.Flag(false);
            default ->
                throw new BadValueException(
                        "'" + token + "' is not a boolean; one of TRUE, FALSE, YES, NO, ON, OFF, 1, 0");
        });
    }

    /** A whole number from {@code least} to {@code most}. */
    public static ValueType whole(long least, long most) {
        return of(
                most == Integer.MAX_VALUE ? (least == 0 ? "integer" : "integer ≥ " + least) : least + "–" + most,
                token -> new PolicyValue.Whole(wholeOf(token.text(), least, most)));
    }

    /** A whole number from {@code least} on, or INFINITY. */
    static ValueType limit(long least) {
        return of("integer or INFINITY", token -> {
            String text = token.text().toUpperCase(Locale.ROOT);
            return text.equals("INFINITY") || text.equals("UNLIMITED")
                    ? new PolicyValue.Whole(PolicyValue.Whole.UNLIMITED)
                    : new PolicyValue.Whole(wholeOf(token.text(), least, Integer.MAX_VALUE));
        });
    }

    /** Megabytes, with K, M or G for other units. */
    static ValueType megabytes() {
        return of("MB, or with K, M, G", token -> new PolicyValue.Whole(megabytesOf(token.text())));
    }

    /** A number from {@code least} to {@code most}. */
    public static ValueType decimal(double least, double most) {
        return of("number", token -> {
            String text = token.text();
            double number = DECIMAL.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
            if (!(number >= least && number <= most)) {
                throw new BadValueException("'" + token + "' is not a number"
                        + (least == -Double.MAX_VALUE ? "" : " from " + least)
                        + (most == Double.MAX_VALUE ? (least == -Double.MAX_VALUE ? "" : " on") : " to " + most));
            }
            return new PolicyValue.Decimal(number);
        });
    }

    /** An interval, or INFINITY. */
    public static ValueType interval() {
        return of("time", token -> intervalOf(token.text(), false));
    }

    /** An interval of {@code least} seconds or more, or INFINITY. */
    public static ValueType interval(long least) {
        return of("time of at least " + PolicyTime.format(least), token -> {
            PolicyValue value = intervalOf(token.text(), false);
            if (value instanceof PolicyValue.Interval interval && interval.seconds() < least) {
                throw new BadValueException("'" + token + "' is less than " + PolicyTime.format(least));
            }
            return value;
        });
    }

    /** An interval, INFINITY, or -1. */
    static ValueType intervalOrNever() {
        return of("time or -1", token -> intervalOf(token.text(), true));
    }

    /** Any text of one word or quoted. */
    public static ValueType text() {
        return text("text");
    }

    /** Any text of one word or quoted, called {@code description}. */
    public static ValueType text(String description) {
        return of(description, token -> new PolicyValue.Text(token.text()));
    }

    /** Text kept as written, quotes included, for a language of its own. */
    public static ValueType verbatim(String description) {
        return of(description, token -> new PolicyValue.Text(token.raw()));
    }

    /** A text that matches {@code pattern}; others are reported with {@code form}. */
    public static ValueType pattern(String form, String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        return of(form, token -> {
            if (!compiled.matcher(token.text()).matches()) {
                throw new BadValueException("'" + token + "' has to look like " + form);
            }
            return new PolicyValue.Text(token.text());
        });
    }

    /** A regular expression. */
    public static ValueType expression() {
        return of("regular expression", token -> {
            try {
                Expression.of(token.text());
                return new PolicyValue.Text(token.text());
            } catch (BadExpressionException e) {
                throw new BadValueException(e.reason());
            }
        });
    }

    /** One of {@code names}, in upper or lower case. */
    public static ValueType choice(String... names) {
        return choices(List.of(names), Map.of());
    }

    /** One of {@code names}; each of {@code others} stands for one of them. */
    public static ValueType choices(List<String> names, Map<String, String> others) {
        Map<String, String> official = new LinkedHashMap<>();
        names.forEach(name -> official.put(name.toUpperCase(Locale.ROOT), name));
        others.forEach((name, meaning) -> official.put(name.toUpperCase(Locale.ROOT), meaning));
        return of(String.join(", ", names), token -> {
            String name = official.get(token.text().toUpperCase(Locale.ROOT));
            if (name == null) {
                throw new BadValueException("'" + token + "' is not available; one of " + String.join(", ", names)
                        + Suggestion.didYouMean(token.text().toUpperCase(Locale.ROOT), official.keySet()));
            }
            return new PolicyValue.Text(name);
        });
    }

    /** Several values of this type, divided by commas, blanks and each of {@code separators}. */
    public ValueType list(String separators) {
        return new ValueType("list of " + description, form, "," + separators);
    }

    /** Several values of this type, divided by commas. */
    public ValueType list() {
        return list("");
    }

    /** Several values of this type, divided by blanks only. */
    public ValueType words() {
        return new ValueType("words: " + description, form, " ");
    }

    /** The same type, described in other words. */
    public ValueType as(String newDescription) {
        return new ValueType(newDescription, form, separators);
    }

    /** What another form makes of the word when this one does not take it; this one's message stays. */
    public ValueType or(Form other) {
        return new ValueType(
                description,
                token -> {
                    try {
                        return form.read(token);
                    } catch (BadValueException e) {
                        try {
                            return other.read(token);
                        } catch (BadValueException second) {
                            throw e;
                        }
                    }
                },
                separators);
    }

    /** Returns what people are told to write. */
    public String description() {
        return description;
    }

    /** Returns whether it holds several values. */
    public boolean isList() {
        return !separators.isEmpty();
    }

    /**
     * Reads a value.
     *
     * @param words the words of a parameter, or the one word of an attribute
     * @param badItems told about list items that were left out, and why
     * @throws BadValueException when nothing of it can be used
     */
    public PolicyValue read(List<Token> words, Consumer<String> badItems) throws BadValueException {
        if (!isList()) {
            if (words.size() != 1) {
                throw new BadValueException("takes one value, found " + words.size());
            }
            return bounded(words.get(0));
        }
        List<String> items = new ArrayList<>();
        List<String> bad = new ArrayList<>();
        for (Token token : words) {
            for (Token item : token.split(separators)) {
                try {
                    items.add(bounded(item).text());
                } catch (BadValueException e) {
                    bad.add(e.reason());
                }
            }
        }
        if (items.isEmpty() && !bad.isEmpty()) {
            throw new BadValueException(String.join("; ", bad));
        }
        boolean emptied = words.size() == 1 && words.get(0).text().isEmpty();
        if (items.isEmpty() && !emptied) {
            throw new BadValueException("takes one or more values, found 0");
        }
        bad.forEach(badItems);
        return new PolicyValue.Items(items);
    }

    private PolicyValue bounded(Token token) throws BadValueException {
        if (token.text().length() > Limit.VALUE_LENGTH) {
            throw new BadValueException("a value has " + token.text().length() + " characters; at most "
                    + Limit.VALUE_LENGTH + " are allowed");
        }
        return form.read(token);
    }

    /** Returns the items of {@code word}, as written. */
    public List<Token> parts(Token token) {
        return isList() ? token.split(separators) : List.of(token);
    }

    /** Returns the official spelling of one item; null when it is not legal. */
    @Nullable
    public String spelling(Token item) {
        try {
            return form.read(item).text();
        } catch (BadValueException e) {
            return null;
        }
    }

    /** Reads one word as one item. */
    public PolicyValue item(String text) throws BadValueException {
        return form.read(Token.of(text));
    }

    static long wholeOf(String text, long least, long most) throws BadValueException {
        if (WHOLE.matcher(text).matches()) {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new BadValueException("'" + text + "' is not a number from " + least + " to " + most);
    }

    /** Returns the megabytes {@code text} stands for; a part of one counts whole. */
    public static long megabytesOf(String text) throws BadValueException {
        String plain = text.startsWith("+") ? text.substring(1) : text;
        String digits = plain;
        if (digits.length() > 1 && (digits.endsWith("B") || digits.endsWith("b"))) {
            digits = digits.substring(0, digits.length() - 1);
        }
        char unit = digits.isEmpty() ? ' ' : Character.toUpperCase(digits.charAt(digits.length() - 1));
        boolean hasUnit = "KMGT".indexOf(unit) >= 0;
        String number = hasUnit ? digits.substring(0, digits.length() - 1) : plain;
        if (number.isEmpty() || number.length() > 12 || !number.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new BadValueException("'" + text + "' is not an amount; write megabytes, or a number with K, M or G");
        }
        long amount = Long.parseLong(number);
        long megabytes = switch (hasUnit ? unit : 'M') {
            case 'K' -> (amount + 1023) / 1024;
            case 'G' -> amount * 1024;
            case 'T' -> amount * 1024 * 1024;
            default -> amount;
        };
        if (megabytes > Limit.AMOUNT) {
            throw new BadValueException(
                    "'" + text + "' is " + megabytes + " MB; at most " + Limit.AMOUNT + " are allowed");
        }
        return megabytes;
    }

    public static PolicyValue intervalOf(String text, boolean orNever) throws BadValueException {
        if (text.equalsIgnoreCase("INFINITY")) {
            return new PolicyValue.Interval(PolicyValue.Interval.INFINITE);
        }
        if (orNever && text.equals("-1")) {
            return new PolicyValue.Interval(-1);
        }
        long seconds = PolicyTime.seconds(text);
        if (seconds < 0) {
            throw new BadValueException("'" + text + "' is not a time; write [[[DD:]HH:]MM:]SS"
                    + (orNever ? ", INFINITY or -1" : " or INFINITY"));
        }
        return new PolicyValue.Interval(seconds);
    }
}
