package io.weir.scheduler.query.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.service.http.HttpRefusal;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs of the views {@code queue} and {@code jobs} are asked for, and what of each. A parameter of the query lists
 * names, separated by commas; a job has to bear one of each list, in any letter case.
 *
 * @param wanted names by parameter, in lower case
 * @param fields fields that are told of a job, where it has them; empty for all
 * @param limit jobs told of at most, of each list
 */
public record JobSelection(SortedMap<String, Set<String>> wanted, Set<String> fields, int limit) {
    /** Every job, with everything about it. */
    public static final JobSelection ALL = new JobSelection(new TreeMap<>(), Set.of(), Integer.MAX_VALUE);

    private static final String STATE = "state";
    private static final String SECTION = "section";
    private static final List<String> FILTERS =
            List.of("job", "user", "group", "account", "class", "qos", STATE, SECTION);
    private static final String FIELDS = "fields";
    private static final String LIMIT = "limit";

    /** Says whether a view can be asked for in part. */
    public static boolean appliesTo(String view) {
        return view.equals("queue") || view.equals("jobs");
    }

    /**
     * Reads the parameters of a query for {@code view}.
     *
     * @throws HttpRefusal when one of them is not known or has a value that cannot be
     */
    public static JobSelection of(String view, Map<String, String> parameters) {
        SortedMap<String, Set<String>> wanted = new TreeMap<>();
        Set<String> fields = Set.of();
        int limit = Integer.MAX_VALUE;
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            String name = parameter.getKey();
            if (name.equals(LIMIT)) {
                limit = number(parameter.getValue());
            } else if (name.equals(FIELDS)) {
                fields = known("field", names(parameter.getValue()), ClusterViews.jobFields(view));
            } else if (FILTERS.contains(name)) {
                wanted.put(name, filter(name, lower(names(parameter.getValue()))));
            } else {
                throw bad("Parameter '" + name + "' is not known; there are " + String.join(", ", FILTERS)
                        + ", fields and limit");
            }
        }
        return new JobSelection(wanted, fields, limit);
    }

    private static Set<String> filter(String name, Set<String> values) {
        return switch (name) {
            case STATE -> known(name, values, lower(symbols(JobState.values())));
            case SECTION -> known(name, values, lower(symbols(JobSection.values())));
            default -> values;
        };
    }

    private static Set<String> symbols(Enum<?>[] values) {
        return Arrays.stream(values).map(Enum::name).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Set<String> names(String list) {
        return new LinkedHashSet<>(List.of(list.split(",", -1)));
    }

    private static Set<String> lower(Set<String> names) {
        return names.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Refuses a name that is none of {@code all}. */
    private static Set<String> known(String what, Set<String> names, Set<String> all) {
        for (String name : names) {
            if (!all.contains(name)) {
                throw bad("There is no " + what + " '" + name + "'; there are " + String.join(", ", all));
            }
        }
        return names;
    }

    private static int number(String text) {
        if (!text.matches("\\d{1,9}")) {
            throw bad("limit is '" + text + "'; a number is needed");
        }
        return Integer.parseInt(text);
    }

    private static HttpRefusal bad(String message) {
        return new HttpRefusal(HttpRefusal.BAD_REQUEST, message);
    }

    /** Says whether a job is asked for, limit apart. */
    boolean includes(JobStatus job, Instant now) {
        for (Map.Entry<String, Set<String>> filter : wanted.entrySet()) {
            String value = value(job, filter.getKey(), now);
            if (value == null || !filter.getValue().contains(value.toLowerCase(Locale.ROOT))) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable String value(JobStatus job, String filter, Instant now) {
        return switch (filter) {
            case "job" -> job.getJobId();
            case "user" -> job.getUser();
            case "group" -> job.getGroup();
            case "account" -> job.getAccount();
            case "class" -> job.getJobClass();
            case "qos" -> job.getQos();
            case STATE -> job.getState().name();
            case SECTION -> JobSection.of(job, now).name();
            default -> throw new IllegalArgumentException(filter);
        };
    }

    /** Says whether a field is told of a job. */
    boolean tells(String field) {
        return fields.isEmpty() || fields.contains(field);
    }

    /** Leaves in {@code job} only what is asked for; where that is not everything, nothing that is empty. */
    void restrict(ObjectNode job) {
        if (!fields.isEmpty()) {
            job.properties()
                    .removeIf(field ->
                            !fields.contains(field.getKey()) || field.getValue().isNull());
        }
    }
}
