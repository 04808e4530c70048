package io.weir.scheduler.core.placement.priority;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a job would rather have, but does not insist on: alternatives ({@code |}) of conditions that hold together
 * ({@code &} or a comma). Immutable.
 */
public final class Preference {
    private static final Pattern OLD_FORM = Pattern.compile("(?i)\\s*PREF\\s*\\((.*)\\)\\s*");
    private static final Pattern AMOUNT =
            Pattern.compile("(?i)(memory|mem|swap|disk)\\s*(>=|<=|==|>|<)\\s*(\\d{1,12})\\s*([KMGT]?)B?");
    private static final Pattern FEATURE = Pattern.compile("(?i)feature\\s*:\\s*([^\\s&|,()]+)");

    private final List<List<Condition>> alternatives;

    private Preference(List<List<Condition>> alternatives) {
        this.alternatives = List.copyOf(alternatives);
    }

    /** A preference and what was wrong with its text; one of the two is null. */
    public record Reading(
            @Nullable Preference preference, @Nullable String problem) {}

    /** What a node has of the things that may be preferred; amounts are configured ones, in MB. */
    public interface Attributes {
        /** Returns whether the node has {@code feature}, case counting. */
        boolean feature(String feature);

        /** Returns the configured memory. */
        long memoryMb();

        /** Returns the configured swap. */
        long swapMb();

        /** Returns the configured disk. */
        long diskMb();
    }

    /** One condition on a node. */
    private sealed interface Condition {
        boolean holds(Attributes node);
    }

    private record HasFeature(String feature) implements Condition {
        @Override
        public boolean holds(Attributes node) {
            return node.feature(feature);
        }
    }

    /** An amount that may be preferred. */
    private enum Resource {
        MEMORY,
        SWAP,
        DISK
    }

    private record Compares(Resource resource, AmountOperator operator, long amountMb) implements Condition {
        @Override
        public boolean holds(Attributes node) {
            long has = switch (resource) {
                case MEMORY -> node.memoryMb();
                case SWAP -> node.swapMb();
                case DISK -> node.diskMb();
            };
            return operator.holds(has, amountMb);
        }
    }

    /** Reads {@code cond & cond | cond} or the old form {@code PREF(cond,cond)}. */
    public static Reading read(String text) {
        Matcher old = OLD_FORM.matcher(text);
        String expression = old.matches() ? old.group(1) : text;
        List<List<Condition>> alternatives = new ArrayList<>();
        for (String alternative : expression.split("\\|", -1)) {
            List<Condition> all = new ArrayList<>();
            for (String part : alternative.split("[&,]", -1)) {
                Condition condition = condition(part.strip());
                if (condition == null) {
                    return new Reading(null, "preference ignored: '" + part.strip() + "' is no condition");
                }
                all.add(condition);
            }
            alternatives.add(List.copyOf(all));
        }
        return new Reading(new Preference(alternatives), null);
    }

    /** Returns whether a node is preferred. */
    public boolean holds(Attributes node) {
        for (List<Condition> all : alternatives) {
            boolean every = true;
            for (int i = 0; i < all.size() && every; i++) {
                every = all.get(i).holds(node);
            }
            if (every) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Condition condition(String text) {
        Matcher feature = FEATURE.matcher(text);
        if (feature.matches()) {
            return new HasFeature(feature.group(1));
        }
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.matches()) {
            return null;
        }
        return new Compares(
                resource(amount.group(1)),
                AmountOperator.of(amount.group(2)),
                megabytes(Long.parseLong(amount.group(3)), amount.group(4)));
    }

    private static Resource resource(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "swap" -> Resource.SWAP;
            case "disk" -> Resource.DISK;
            // The form lets only memory through, and letters that merely fold to those of the words above.
            default -> Resource.MEMORY;
        };
    }

    private static long megabytes(long number, String unit) {
        return switch (unit.toUpperCase(Locale.ROOT)) {
            case "K" -> (number + 1023) / 1024;
            case "G" -> number * 1024;
            case "T" -> number * 1024 * 1024;
            // M, none, or a letter that merely folds to one of these.
            default -> number;
        };
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Preference that && alternatives.equals(that.alternatives);
    }

    @Override
    public int hashCode() {
        return alternatives.hashCode();
    }

    @Override
    public String toString() {
        return alternatives.toString();
    }
}
