package io.weir.command.topics;

import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.GivenSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that name a Kafka broker and the client settings of its administrator. */
final class AdministratorOptions {
    @Option(names = "--bootstrap-server", paramLabel = "HOST:PORT", description = "The Kafka broker.")
    private @Nullable String bootstrapServer;

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Client properties of an administrator of the broker.")
    private @Nullable Path commandConfig;

    /** Returns the address of the broker; empty when none was given. */
    Optional<String> bootstrapServer() {
        return Optional.ofNullable(bootstrapServer);
    }

    /** Returns the file of client properties; empty when none was given. */
    Optional<Path> commandConfig() {
        return Optional.ofNullable(commandConfig);
    }

    /**
     * Returns the client properties; none when no file was given.
     *
     * @throws BadInputException when the file cannot be read
     */
    Map<String, String> properties() {
        if (commandConfig == null) {
            return Map.of();
        }
        return GivenSettings.read("--command-config", commandConfig);
    }
}
