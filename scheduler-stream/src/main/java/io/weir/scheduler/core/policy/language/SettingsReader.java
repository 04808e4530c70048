package io.weir.scheduler.core.policy.language;

import com.google.re2j.Pattern;
import io.weir.scheduler.core.policy.language.ObjectSettings.Operation;
import io.weir.scheduler.core.policy.language.PolicyProblem.Kind;
import io.weir.scheduler.core.policy.language.parameter.Alias;
import io.weir.scheduler.core.policy.language.parameter.Attribute;
import io.weir.scheduler.core.policy.language.parameter.IndexRule;
import io.weir.scheduler.core.policy.language.parameter.Parameter;
import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry;
import io.weir.scheduler.core.policy.language.parameter.UnimplementedParameters;
import io.weir.scheduler.core.policy.language.parameter.UnsupportedParameters;
import io.weir.scheduler.core.policy.language.value.BadValueException;
import io.weir.scheduler.core.policy.language.value.EventName;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import io.weir.scheduler.core.policy.language.value.Suggestion;
import io.weir.scheduler.core.policy.language.value.Token;
import io.weir.scheduler.core.policy.language.value.ValueType;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a configuration into {@link PolicySettings}, each by its entry in the register. */
final class SettingsReader {
    private static final Pattern INDEX = Pattern.compile("[A-Za-z0-9_.:-]+");
    private static final Pattern EVENT_INDEX = Pattern.compile("[A-Za-z0-9_.:<>=-]+");
    private static final String NO_EFFECT = "accepted, " + UnimplementedParameters.NO_EFFECT;

    private final PolicySettings settings;
    private final ParameterRegistry registry;

    SettingsReader(PolicySettings settings) {
        this.settings = settings;
        this.registry = settings.register();
    }

    void read(List<PolicyLine> lines) {
        settings.begin(lines);
        lines.forEach(this::apply);
        settings.end();
    }

    private void apply(PolicyLine written) {
        if (written.origin().file().equals(Origin.NONSTOP_FILE)) {
            return;
        }
        String problem = outOfBounds(written);
        if (problem != null) {
            report(Kind.BAD_VALUE, written, problem);
            return;
        }
        if (!written.closed()) {
            report(Kind.BAD_VALUE, written, "a quote is opened and not closed; the line is ignored");
            return;
        }
        if (written.name().equalsIgnoreCase("INCLUDE")) {
            report(Kind.BAD_VALUE, written, "is resolved when a file is read, not in a text; publish the file");
            return;
        }
        Alias alias = registry.alias(written.name());
        PolicyLine line = alias == null ? written : resolve(alias, written);
        Parameter parameter = registry.find(line.name());
        if (parameter == null) {
            String name = line.name().toUpperCase(Locale.ROOT);
            report(Kind.UNKNOWN, line, "unknown parameter, ignored" + why(elsewhere(name), name, registry.names()));
            return;
        }
        try {
            String index = index(parameter, line);
            if (!parameter.isObject()) {
                plain(parameter, index, line);
            } else if (alias != null && alias.attribute() != null) {
                ObjectSettings object = open(parameter, index);
                assign(object, alias.attribute(), Operation.SET, line.words(), line);
            } else {
                object(parameter, index, line);
            }
        } catch (BadValueException e) {
            report(Kind.BAD_VALUE, line, e.reason());
        }
    }

    private static @Nullable String outOfBounds(PolicyLine line) {
        if (line.source().length() > Limit.LINE_LENGTH) {
            return "the line has " + line.source().length() + " characters; at most " + Limit.LINE_LENGTH
                    + " are allowed, so it is ignored; divide it with +=";
        }
        return line.source().chars().anyMatch(c -> Character.isISOControl(c) && c != '\t')
                ? "the line contains a control character; it is ignored"
                : null;
    }

    private PolicyLine resolve(Alias alias, PolicyLine line) {
        if (alias.deprecated()) {
            report(Kind.DEPRECATED, line, "old name, accepted; write " + alias.instead());
        }
        return line.as(alias.parameter(), alias.index() == null ? line.index() : alias.index(), line.words());
    }

    private static String index(Parameter parameter, PolicyLine line) throws BadValueException {
        String index = line.index();
        IndexRule rule = parameter.index();
        if (index == null && rule == IndexRule.NAME) {
            throw new BadValueException("says not of what; write " + parameter.name() + rule.shown() + " …");
        }
        if (index == null) {
            return rule.absent();
        }
        if (index.equalsIgnoreCase(IndexRule.DEFAULT_INDEX)) {
            index = IndexRule.DEFAULT_INDEX;
        }
        if (rule == IndexRule.NONE) {
            if (index.equals("0")) {
                return "";
            }
            throw new BadValueException("takes no index; write " + parameter.name() + " …");
        }
        if (rule == IndexRule.LEVEL && !(index.length() == 1 && index.charAt(0) >= '1' && index.charAt(0) <= '4')) {
            throw new BadValueException("takes an index from 1 to 4");
        }
        boolean event = parameter.name().equals("GEVENTCFG");
        Pattern legal = event ? EVENT_INDEX : INDEX;
        if (index.length() > Limit.NAME_LENGTH) {
            throw new BadValueException(
                    "its index has " + index.length() + " characters; at most " + Limit.NAME_LENGTH + " are allowed");
        }
        if (!legal.matcher(index).matches()) {
            throw new BadValueException("'" + index + "' is no legal index; letters, digits, _ - . and : are");
        }
        return event ? EventName.of(index) : index;
    }

    private void plain(Parameter parameter, String index, PolicyLine line) throws BadValueException {
        ValueType type = parameter.type();
        if (type == null) {
            throw new IllegalArgumentException(parameter.name() + " is an object");
        }
        PolicyValue value = type.read(line.words(), bad -> report(Kind.BAD_VALUE, line, bad));
        Origin before = settings.origin(parameter.name(), index);
        if (before != null) {
            report(Kind.DOUBTFUL, line, "set before on " + before + "; this line wins");
        }
        settings.write(parameter, index, value, line.origin());
        if (!parameter.effective()) {
            report(Kind.NO_EFFECT, line, NO_EFFECT + UnimplementedParameters.reason(parameter.name()));
        } else {
            UnimplementedParameters.items(parameter.name(), value)
                    .forEach(item -> report(
                            Kind.NO_EFFECT,
                            line,
                            "'" + item + "' is " + NO_EFFECT + UnimplementedParameters.reason(parameter.name(), item)));
        }
    }

    private void object(Parameter parameter, String index, PolicyLine line) throws BadValueException {
        if (line.words().isEmpty()) {
            throw new BadValueException("takes ATTRIBUTE=VALUE pairs, found none");
        }
        ObjectSettings object = open(parameter, index);
        boolean afterValue = false;
        for (Token token : line.words()) {
            int equals = token.indexOf('=');
            if (equals <= 0) {
                report(Kind.UNKNOWN, line, stray(token, object, afterValue));
                continue;
            }
            char before = token.text().charAt(equals - 1);
            Operation operation = switch (before) {
                case '+' -> Operation.ADD;
                case '-' -> Operation.REMOVE;
                default -> Operation.SET;
            };
            String name = token.text().substring(0, operation == Operation.SET ? equals : equals - 1);
            assign(object, name, operation, List.of(token.after(equals + 1)), line);
            afterValue = true;
        }
    }

    private ObjectSettings open(Parameter parameter, String index) throws BadValueException {
        if (!settings.isFull(parameter, index)) {
            return settings.open(parameter, index);
        }
        throw new BadValueException("is one more than the " + Limit.OBJECTS + " " + parameter.name()
                + " entries a configuration may have; the line is ignored");
    }

    private static String stray(Token token, ObjectSettings object, boolean afterValue) {
        String name = token.text().toUpperCase(Locale.ROOT);
        if (object.attribute(name) != null) {
            return "attribute " + name + " has no value, ignored; write " + name + "=…";
        }
        return "unknown attribute '" + token + "', ignored"
                + (afterValue ? "; a value with blanks has to be quoted" : Suggestion.didYouMean(name, object.names()));
    }

    /** Returns why there is no parameter {@code name}, or of what it is an attribute; null if neither is known. */
    private @Nullable String elsewhere(String name) {
        String unsupported = UnsupportedParameters.parameter(name);
        List<String> objects = registry.withAttribute(name);
        if (unsupported != null || objects.isEmpty()) {
            return unsupported;
        }
        return "it is an attribute of " + String.join(", ", objects) + "; write " + objects.get(0) + "[…] " + name
                + "=…";
    }

    /** Returns why {@code name} is unknown, or which known one is near; behind a semicolon, or nothing. */
    private static String why(@Nullable String unsupportedParameters, String name, Collection<String> known) {
        return unsupportedParameters == null ? Suggestion.didYouMean(name, known) : "; " + unsupportedParameters;
    }

    private void assign(ObjectSettings object, String name, Operation operation, List<Token> words, PolicyLine line) {
        String official = name.toUpperCase(Locale.ROOT);
        Attribute attribute = object.attribute(official);
        if (attribute == null) {
            report(
                    Kind.UNKNOWN,
                    line,
                    "unknown attribute '" + name + "', ignored"
                            + why(
                                    UnsupportedParameters.attribute(object.parameterName(), official),
                                    official,
                                    object.names()));
            return;
        }
        try {
            if (operation != Operation.SET && !attribute.type().isList() && !attribute.repeatable()) {
                throw new BadValueException("is no list; write " + official + "=…");
            }
            PolicyValue value = operation == Operation.REMOVE
                    ? removed(attribute.type(), words)
                    : attribute.type().read(words, bad -> report(Kind.BAD_VALUE, line, official, bad));
            object.write(attribute, operation, value, line.origin());
            if (!attribute.effective()) {
                report(
                        Kind.NO_EFFECT,
                        line,
                        official,
                        NO_EFFECT + UnimplementedParameters.reason(object.parameterName() + " " + official));
            } else if (attribute.elsewhere() != null) {
                report(Kind.ELSEWHERE, line, official, "read by " + attribute.elsewhere());
            } else {
                UnimplementedParameters.items(object.parameterName() + " " + official, value)
                        .forEach(item -> report(
                                Kind.NO_EFFECT,
                                line,
                                official,
                                "'" + item + "' is " + NO_EFFECT
                                        + UnimplementedParameters.reason(
                                                object.parameterName() + " " + official, item)));
            }
        } catch (BadValueException e) {
            report(Kind.BAD_VALUE, line, official, e.reason());
        }
    }

    /** Returns what is to be taken out of a list: official spellings where the item has one. */
    private static PolicyValue removed(ValueType type, List<Token> words) {
        List<String> items = new ArrayList<>();
        for (Token token : words) {
            for (Token item : type.parts(token)) {
                items.add(item.text());
                String spelling = type.spelling(item);
                if (spelling != null && !items.contains(spelling)) {
                    items.add(spelling);
                }
            }
        }
        return new PolicyValue.Items(items);
    }

    private void report(Kind kind, PolicyLine line, String message) {
        settings.report(kind, line.origin(), line.parameter(), message);
    }

    private void report(Kind kind, PolicyLine line, String attribute, String message) {
        settings.report(kind, line.origin(), line.parameter() + " " + attribute, message);
    }
}
