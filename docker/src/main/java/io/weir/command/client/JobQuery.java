package io.weir.command.client;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which jobs of a view are asked for, and what of each, so that a long queue is not sent for a few of them. What it chooses
 * may be more than was asked for; who asks looks again. Immutable.
 *
 * @param parameters parameters of the API
 */
public record JobQuery(Map<String, String> parameters) {
    /** Every job, with everything about it. */
    public static final JobQuery ALL = new JobQuery(Map.of());

    /** What is told of the queue beside its jobs: when it was looked at, what is in use, how many jobs there are. */
    public static final JobQuery COUNTS = ALL.with("limit", "0");

    /** Keeps jobs whose {@code parameter}, such as user or section, is one of {@code names}. */
    public JobQuery where(String parameter, Collection<String> names) {
        boolean plain = names.stream().noneMatch(name -> name.isEmpty() || name.contains(","));
        return plain ? with(parameter, String.join(",", names)) : this;
    }

    /** Keeps jobs that conform to {@code constraints} such as {@code user=anna}; acct stands for account. */
    public JobQuery where(List<String> constraints) {
        Map<String, Set<String>> names = new LinkedHashMap<>();
        for (String constraint : constraints) {
            String[] parts = constraint.split("=", 2);
            String parameter = parts[0].toLowerCase(Locale.ROOT);
            names.computeIfAbsent(parameter.equals("acct") ? "account" : parameter, key -> new LinkedHashSet<>())
                    .add(parts[1]);
        }
        JobQuery query = this;
        for (Map.Entry<String, Set<String>> each : names.entrySet()) {
            query = query.where(each.getKey(), each.getValue());
        }
        return query;
    }

    /** Has only these fields told of each job, where it has them. */
    public JobQuery fields(Collection<String> names) {
        return with("fields", String.join(",", new LinkedHashSet<>(names)));
    }

    /** Has only these fields told of each job, where it has them. */
    public JobQuery fields(String... names) {
        return fields(Arrays.asList(names));
    }

    private JobQuery with(String parameter, String value) {
        Map<String, String> more = new LinkedHashMap<>(parameters);
        more.put(parameter, value);
        return new JobQuery(more);
    }
}
