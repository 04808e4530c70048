package io.weir.command.client;

import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.GivenSettings;
import io.weir.standalone.Connection;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.Endpoints;
import io.weir.standalone.KafkaAccess;
import io.weir.standalone.access.Account;
import io.weir.topics.TlsListener;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of commands that read the topics: a launcher's directory, or any broker and registry. */
public final class TopicsAccess {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Directory of weir demo, standalone or run-trace. If its broker runs, it is used; otherwise a"
                    + " broker is started on the directory for the duration of the command. Default:"
                    + " ~/.weir/demo unless --bootstrap-server.")
    private @Nullable Path data;

    @Option(names = "--bootstrap-server", paramLabel = "HOST:PORT", description = "A Kafka broker, instead of --data.")
    private @Nullable String bootstrapServer;

    @Option(names = "--registry", paramLabel = "URL", description = "The schema registry that goes with the broker.")
    private @Nullable String registry;

    @Option(
            names = "--client-config",
            paramLabel = "FILE",
            description = "Properties of a Kafka client for --bootstrap-server, such as those for TLS and SASL;"
                    + " basic.auth.user.info for the registry.")
    private @Nullable Path clientConfig;

    @Mixin
    private PrefixOption prefix = new PrefixOption();

    /** Returns how topics are called. */
    public TopicNames names() {
        return prefix.names();
    }

    /** Says whether a broker was named instead of a directory. */
    public boolean isRemote() {
        return bootstrapServer != null;
    }

    /** Says whether a directory or a broker was named. */
    public boolean isGiven() {
        return data != null || bootstrapServer != null;
    }

    /** Returns the directory given, or the one that is used when none is. */
    public DataDirectory directory() {
        return new DataDirectory(data == null ? DefaultDirectory.demo() : data);
    }

    /** Opens the way to the topics, for reading; close it when done. */
    public Opened open() {
        return open(Account.READER);
    }

    /** Opens the way to the topics; that of a directory is used as {@code account}. Close it when done. */
    public Opened open(Account account) {
        if (bootstrapServer != null) {
            if (data != null) {
                throw new BadInputException("Give --data or --bootstrap-server, not both");
            }
            if (registry == null) {
                throw new BadInputException("--bootstrap-server needs --registry, the address of the schema registry");
            }
            Connection connection = new Connection(new Endpoints(bootstrapServer, registry), clientProperties());
            TlsListener.refuse(connection.kafka());
            return new Opened(connection, () -> {});
        }
        try {
            KafkaAccess access = KafkaAccess.open(directory(), account);
            return new Opened(access.connection(), access::close);
        } catch (IOException e) {
            throw new BadInputException(String.valueOf(e.getMessage()));
        }
    }

    private Map<String, String> clientProperties() {
        if (clientConfig == null) {
            return Map.of();
        }
        return GivenSettings.read("--client-config", clientConfig);
    }

    /** An open way to the topics. */
    public record Opened(Connection connection, Runnable closing) implements AutoCloseable {
        @Override
        public void close() {
            closing.run();
        }
    }
}
