package io.weir.topics;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names of topics, and of some groups, as the broker knows them: a prefix, configured per installation, and the catalogue's name.
 *
 * @param prefix what stands before every name, separator included; may be empty
 */
public record TopicNames(String prefix) {

    /** The prefix unless configured otherwise. */
    public static final String DEFAULT_PREFIX = "weir.";

    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{0,200}");

    /** Refuses characters that the broker would refuse. */
    public TopicNames {
        if (!LEGAL.matcher(prefix).matches()) {
            throw new IllegalArgumentException("Topic prefix '" + prefix
                    + "': use at most 200 letters, digits, '.', '_' and '-', such as '" + DEFAULT_PREFIX + "'");
        }
    }

    /** Returns the full name of {@code topic}. */
    public String full(Topic<?> topic) {
        return prefix + topic.name();
    }

    /**
     * Returns the group of one of several {@code service}s of {@code cluster}. Behind the last dot stands its {@code id}, with
     * {@code %2E} for a dot and {@code %25} for a percent sign in it: no two share a group.
     */
    public String group(String service, String cluster, String id) {
        return prefix + service + "." + cluster + "." + id.replace("%", "%25").replace(".", "%2E");
    }

    /** Returns {@code fullName} without the prefix; empty when it does not begin with it. */
    public Optional<String> base(String fullName) {
        return fullName.startsWith(prefix) ? Optional.of(fullName.substring(prefix.length())) : Optional.empty();
    }

    /** Returns the topic of the catalogue that is called {@code fullName} here. */
    public Optional<Topic<?>> topic(String fullName) {
        return base(fullName).flatMap(Topics::byName);
    }
}
