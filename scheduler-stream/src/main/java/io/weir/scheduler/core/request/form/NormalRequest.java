package io.weir.scheduler.core.request.form;

import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import io.weir.schemas.bound.Limit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.SchemaNormalization;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks, in the one form that is authorised and carried out. Names of arguments are known and in lower case,
 * each given once unless it may be repeated; values from a closed set are words of that set in lower case. In which order
 * arguments were given makes no difference, values of one argument apart.
 *
 * @param kind what is asked
 * @param objectId what it is about, letter by letter; {@value #NOTHING} for nothing in particular
 * @param values by name of the argument; at least one each
 */
public record NormalRequest(RequestKind kind, String objectId, SortedMap<String, List<String>> values) {
    /** Stands for no object. */
    public static final String NOTHING = "-";

    private static final int MOST_ARGUMENTS = 64;
    private static final int LONGEST_NAME = 256;
    private static final int LONGEST_VALUE = Limit.REQUEST_VALUE;

    /** Characters of all values. */
    private static final int LONGEST = 65_536;

    public NormalRequest {
        SortedMap<String, List<String>> copy = new TreeMap<>();
        values.forEach((name, given) -> copy.put(name, List.copyOf(given)));
        values = Collections.unmodifiableSortedMap(copy);
    }

    /**
     * Brings a request into its normal form.
     *
     * @throws UnreadableRequestException when it has none; the message names the argument
     */
    public static NormalRequest of(RequestKind kind, String objectId, List<NameValue> given)
            throws UnreadableRequestException {
        if (given.size() > MOST_ARGUMENTS) {
            throw new UnreadableRequestException(
                    "the request has " + given.size() + " arguments; at most " + MOST_ARGUMENTS + " are allowed");
        }
        SortedMap<String, List<String>> values = new TreeMap<>();
        int characters = 0;
        for (NameValue argument : given) {
            characters += argument.getValue().length();
            if (argument.getName().length() > LONGEST_NAME
                    || argument.getValue().length() > LONGEST_VALUE
                    || characters > LONGEST) {
                throw new UnreadableRequestException("argument '" + shown(argument.getName()) + "' has "
                        + argument.getValue().length() + " characters; a value has at most " + LONGEST_VALUE
                        + ", all values together " + LONGEST + ", a name " + LONGEST_NAME);
            }
            add(kind, argument, values);
        }
        return new NormalRequest(kind, objectId.isEmpty() ? NOTHING : objectId, values);
    }

    private static void add(RequestKind kind, NameValue argument, SortedMap<String, List<String>> values)
            throws UnreadableRequestException {
        ArgumentForm form = form(kind, argument.getName());
        String value = form.normal(argument.getValue());
        if (value == null) {
            throw new UnreadableRequestException(
                    form.name() + " is '" + shown(argument.getValue()) + "'; " + listed(form.words()) + " is needed");
        }
        List<String> before = values.computeIfAbsent(form.name(), name -> new ArrayList<>());
        if (!before.isEmpty() && !form.repeatable()) {
            throw new UnreadableRequestException("argument " + form.name() + " is given more than once; give it once");
        }
        before.add(value);
    }

    private static ArgumentForm form(RequestKind kind, String given) throws UnreadableRequestException {
        String name = given.length() == 1 ? given : ArgumentForm.lower(given);
        for (ArgumentForm form : RequestSyntax.argumentsOf(kind)) {
            if (form.isCalled(name)) {
                return form;
            }
        }
        int bracket = given.indexOf('[') + 1;
        boolean metric = bracket > 0
                && given.endsWith("]")
                && given.length() > bracket + 1
                && given.indexOf(']') == given.length() - 1
                && ArgumentForm.lower(given.substring(0, bracket)).equals(RequestSyntax.METRIC);
        if (metric && RequestSyntax.setsMetrics(kind)) {
            return ArgumentForm.text(RequestSyntax.METRIC + given.substring(bracket));
        }
        if (RequestSyntax.saysOfMessages(kind) && MessageTerms.isMessage(given)) {
            MessageTerms terms = MessageTerms.parse(given);
            if (terms == null) {
                throw new UnreadableRequestException(
                        "argument '" + shown(given) + "' is not understood; " + MessageTerms.FORM + " is needed");
            }
            return ArgumentForm.texts(terms.argument());
        }
        List<String> known = new ArrayList<>();
        RequestSyntax.argumentsOf(kind).forEach(form -> known.add(form.name()));
        if (RequestSyntax.setsMetrics(kind)) {
            known.add(RequestSyntax.METRIC + "NAME]");
        }
        throw new UnreadableRequestException("unknown argument '" + shown(given) + "' of " + kind + "; "
                + (known.isEmpty()
                        ? "there are none"
                        : "there " + (known.size() == 1 ? "is " : "are ") + listed(known)));
    }

    private static String listed(List<String> words) {
        int last = words.size() - 1;
        return last < 1 ? String.join("", words) : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }

    /** Returns no more of what was given than a message bears. */
    private static String shown(String text) {
        int most = 64;
        return text.length() <= most ? text : text.substring(0, most) + "...";
    }

    /** Returns a number that stands for this request of {@code principal}; never 0. */
    public long fingerprint(String principal) {
        StringBuilder text = new StringBuilder();
        part(text, principal);
        part(text, kind.name());
        part(text, objectId);
        for (NameValue argument : arguments()) {
            part(text, argument.getName());
            part(text, argument.getValue());
        }
        long found = SchemaNormalization.fingerprint64(text.toString().getBytes(StandardCharsets.UTF_8));
        return found == 0 ? 1 : found;
    }

    private static void part(StringBuilder text, String part) {
        text.append(part.length()).append(':').append(part);
    }

    /** Returns whether an argument was given. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns the value of an argument, of several the last; null when it was not given. */
    public @Nullable String value(String name) {
        List<String> given = all(name);
        return given.isEmpty() ? null : given.get(given.size() - 1);
    }

    /** Returns the value of an argument; nothing when it was not given. */
    public String text(String name) {
        String value = value(name);
        return value == null ? "" : value;
    }

    /** Returns all values of an argument in the order given. */
    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** Returns the value of an argument with a closed set of them; null when it was not given. */
    public <E extends Enum<E>> @Nullable E choice(String name, Class<E> set) {
        String value = value(name);
        return value == null ? null : Enum.valueOf(set, value.toUpperCase(Locale.ROOT));
    }

    /** Returns whether an argument was given as true. */
    public boolean isTrue(String name) {
        return "true".equals(value(name));
    }

    /** Returns the arguments by name, the values of one in the order given. */
    public List<NameValue> arguments() {
        List<NameValue> all = new ArrayList<>();
        values.forEach((name, given) -> given.forEach(value -> all.add(new NameValue(name, value))));
        return all;
    }
}
