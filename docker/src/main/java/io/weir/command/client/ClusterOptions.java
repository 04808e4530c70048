package io.weir.command.client;

import io.weir.command.format.ViewFormat;
import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.ExitCode;
import io.weir.nonstop.client.ClientTls;
import io.weir.standalone.ApiAccess;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.broker.DirectoryLock;
import io.weir.standalone.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of every operator's command: where the scheduler is, which cluster, and the output format. */
public final class ClusterOptions {
    private static final String NO_SCHEDULER =
            "No scheduler serves its API here; start it, or give --server. Without it there is only what the topics show";

    /** Message for the time before the first iteration. */
    public static final String NOTHING = "Nothing is known of any cluster yet; no resource manager has been heard of";

    private static final int HIGHEST_PORT = 65_535;
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--server",
            paramLabel = "URL",
            defaultValue = "${env:WEIR_SERVER}",
            description =
                    "The scheduler's API, http://HOST:PORT or https://HOST:PORT (default: $WEIR_SERVER, else that of"
                            + " --data).")
    private @Nullable String server;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description = "The host of the scheduler's API on http, instead of --server.")
    private @Nullable String host;

    @Option(names = "--port", paramLabel = "PORT", description = "Its port; without --host on this machine.")
    private @Nullable Integer port;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            defaultValue = "${env:WEIR_TOKEN_FILE}",
            description = "File that holds your token (default: $WEIR_TOKEN_FILE, else the token of --data).")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            defaultValue = "${env:WEIR_CA_FILE}",
            description =
                    "Certificates in PEM that alone may vouch for an API on https (default: $WEIR_CA_FILE, else those"
                            + " that Java trusts).")
    private @Nullable Path authorities;

    @Option(
            names = "--cert-file",
            paramLabel = "FILE",
            defaultValue = "${env:WEIR_CERT_FILE}",
            description = "Your certificate in PEM, for an API on https that wants one (default: $WEIR_CERT_FILE).")
    private @Nullable Path certificate;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            defaultValue = "${env:WEIR_KEY_FILE}",
            description = "The key of --cert-file in PEM, PKCS#8 without a password (default: $WEIR_KEY_FILE).")
    private @Nullable Path key;

    @Mixin
    private TopicsAccess topics = new TopicsAccess();

    @Option(names = "--cluster", paramLabel = "NAME", description = "The cluster (default: the only one).")
    private @Nullable String cluster;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "TEXT",
            description = "text, json or, where supported, xml (default: text).")
    private ViewFormat format = ViewFormat.TEXT;

    @Option(
            names = "--timeout",
            paramLabel = "S",
            defaultValue = "30",
            description = "How long to wait for an answer, in seconds (default: ${DEFAULT-VALUE}).")
    private int timeout = 30;

    @SuppressWarnings("UnusedVariable") // read by picocli
    @Option(names = "--help", usageHelp = true, description = "Show this help message and exit.")
    private boolean help;

    /** Says whether the answer is for a program. */
    public boolean structured() {
        return format != ViewFormat.TEXT;
    }

    /** Says whether XML was asked for. */
    public boolean xml() {
        return format == ViewFormat.XML;
    }

    /** Returns the value of {@code --cluster}. */
    public Optional<String> cluster() {
        return Optional.ofNullable(cluster);
    }

    /** Returns the cluster asked for, or the only one there is. */
    public String cluster(ClusterClient client) {
        List<String> known = client.clusters();
        if (cluster != null) {
            if (!known.contains(cluster)) {
                throw new BadInputException("There is no cluster '" + cluster + "'; there are " + known);
            }
            return cluster;
        }
        if (known.isEmpty()) {
            throw new ClientException(ExitCode.FAILED, NOTHING);
        }
        if (known.size() != 1) {
            throw new BadInputException("There are several clusters, choose one with --cluster: " + known);
        }
        return known.get(0);
    }

    /** Connects to the API that was named or to that of the directory; reads the topics when no API is served. */
    public ClusterClient open() {
        Integer asked = port;
        refuseContradictions();
        if (asked != null) {
            String name = host == null ? "127.0.0.1" : host.indexOf(':') >= 0 ? "[" + host + "]" : host;
            return client("http://" + name + ":" + asked, token());
        }
        if (host != null) {
            throw new BadInputException(
                    "--host " + host + " needs a --port; or give both as --server http://HOST:PORT");
        }
        if (server != null && !server.isEmpty()) {
            return client(server, token());
        }
        if (topics.isRemote()) {
            return topicsClient(NO_SCHEDULER);
        }
        DataDirectory directory = topics.directory();
        Optional<String> url = ApiAccess.url(directory);
        if (url.isPresent()) {
            Optional<String> own = token();
            ClusterClient client = client(url.get(), own.isPresent() ? own : ApiAccess.token(directory));
            try {
                client.clusters();
                return client;
            } catch (UnavailableException e) {
                if (!EmbeddedBroker.wasStarted(directory.broker())) {
                    // The scheduler uses brokers elsewhere; what they hold cannot be read from here.
                    throw e;
                }
                if (!DirectoryLock.isHeld(directory.broker())) {
                    // A broker of this command's own would be in the way of the one that the scheduler waits for.
                    throw new ClientException(
                            ExitCode.UNREACHABLE,
                            "The scheduler runs, but the broker of " + directory.root()
                                    + " does not; start it. The scheduler says: " + e.getMessage());
                }
                return topicsClient("The scheduler runs, but cannot take requests at present: " + e.getMessage());
            } catch (ClientException e) {
                if (e.exitCode() != ExitCode.UNREACHABLE) {
                    throw e;
                }
                // The address of a scheduler that was killed; the topics are still there.
            }
        }
        return topicsClient(NO_SCHEDULER);
    }

    /** Leaves alone what the environment says: there, a server is only a default. */
    private void refuseContradictions() {
        if (port != null && (port < 1 || port > HIGHEST_PORT)) {
            throw new BadInputException("--port " + port + " is no port; give 1 to " + HIGHEST_PORT);
        }
        if ((host != null || port != null)
                && spec.commandLine().getParseResult().hasMatchedOption("--server")) {
            throw new BadInputException("Give --server or --host and --port, not both");
        }
    }

    private ClusterClient client(String url, Optional<String> token) {
        ClientTls files = new ClientTls(named(authorities), named(certificate), named(key));
        SSLSocketFactory sockets = null;
        if (!files.isNone()) {
            try {
                sockets = files.context().getSocketFactory();
            } catch (IOException e) {
                throw new BadInputException("--ca-file, --cert-file or --key-file cannot be used: " + e.getMessage());
            }
        }
        return new HttpClusterClient(url, token, sockets, patience());
    }

    private static Optional<Path> named(@Nullable Path file) {
        return Optional.ofNullable(file).filter(path -> !path.toString().isEmpty());
    }

    private ClusterClient topicsClient(String refusal) {
        try (TopicsAccess.Opened access = topics.open()) {
            return new TopicsClusterClient(access.connection(), topics.names(), refusal);
        }
    }

    private Duration patience() {
        if (timeout < 1) {
            throw new BadInputException("--timeout " + timeout + " is too short; give 1 second or more");
        }
        return Duration.ofSeconds(timeout);
    }

    private Optional<String> token() {
        if (tokenFile == null || tokenFile.toString().isEmpty()) {
            return Optional.empty();
        }
        String token;
        try {
            token = Files.readString(tokenFile).strip();
        } catch (IOException e) {
            throw new BadInputException("--token-file " + tokenFile + " cannot be read: "
                    + String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT));
        }
        if (!TOKEN.matcher(token).matches()) {
            String found = token.isEmpty()
                    ? "is empty"
                    : token.lines().count() > 1 ? "holds several lines" : "holds more than a token";
            throw new BadInputException("--token-file " + tokenFile + " " + found + "; it needs the token alone");
        }
        return Optional.of(token);
    }
}
