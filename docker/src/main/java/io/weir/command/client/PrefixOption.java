package io.weir.command.client;

import io.weir.topics.TopicNames;
import picocli.CommandLine.Option;

/** The option for the prefix of all topic names. */
public final class PrefixOption {
    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = TopicNames.DEFAULT_PREFIX,
            description = "Prefix of every topic name (default: ${DEFAULT-VALUE}).")
    private String prefix = TopicNames.DEFAULT_PREFIX;

    /** Returns the prefix. */
    public String prefix() {
        return prefix;
    }

    /** Returns the topic names with this prefix. */
    public TopicNames names() {
        return new TopicNames(prefix);
    }
}
