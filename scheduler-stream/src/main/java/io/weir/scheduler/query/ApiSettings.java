package io.weir.scheduler.query;

import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.query.nonstop.CallbackRules;
import io.weir.service.ServiceConfig;
import io.weir.service.TlsSettings;
import io.weir.service.http.HostNames;
import io.weir.service.http.HttpSettings;
import io.weir.service.http.TlsFiles;
import io.weir.service.setting.FilePath;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the HTTP API is served.
 *
 * @param host address to bind to
 * @param port port; 0 takes a free one
 * @param tokens file of tokens; empty leaves everyone on this machine the level {@code open}
 * @param open level without authentication
 * @param announce file the address is written to
 * @param timeout how long a request may wait for its answer
 * @param hosts names by which it may be called besides its addresses
 * @param tls certificate; empty serves in clear text
 * @param limits what one client may take up
 * @param nonstopHost address on which failure services are bound; empty serves none
 * @param callbacks where applications may be called back at
 */
public record ApiSettings(
        String host,
        int port,
        Optional<Path> tokens,
        AccessLevel open,
        Optional<Path> announce,
        Duration timeout,
        List<String> hosts,
        Optional<TlsFiles> tls,
        ApiLimits limits,
        Optional<String> nonstopHost,
        CallbackRules callbacks) {
    private static final Logger log = LoggerFactory.getLogger(ApiSettings.class);
    private static final int HIGHEST_PORT = 65_535;
    private static final int THREADS = 8;
    private static final int LONGEST_BODY = 1 << 20;
    private static final int LONGEST_NONSTOP_BODY = 1 << 18;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int HOUR_MS = 3_600_000;

    /** Adds the keys of the API to {@code definition}. */
    public static ConfigDef define(ConfigDef definition) {
        return ApiLimits.define(TlsSettings.define(definition, "api"))
                .define(
                        "api.host.names",
                        Type.LIST,
                        "",
                        Importance.MEDIUM,
                        "Host names that clients may use for the API, besides IP addresses, localhost, api.host and"
                                + " this machine's name; * allows any.")
                .define(
                        "api.plaintext",
                        Type.BOOLEAN,
                        false,
                        Importance.MEDIUM,
                        "Serves the API, tokens included, without TLS on an address that others can reach. Use it only"
                                + " behind a proxy that terminates TLS, or on a network that you trust like the"
                                + " machine itself.")
                .define(
                        "api.host",
                        Type.STRING,
                        "127.0.0.1",
                        Importance.HIGH,
                        "Address on which the HTTP API is served. Without api.tokens.file it must be a loopback"
                                + " address.")
                .define(
                        "api.port",
                        Type.INT,
                        0,
                        Range.between(-1, HIGHEST_PORT),
                        Importance.HIGH,
                        "Port of the HTTP API; 0 takes a free port, -1 turns the API off.")
                .define(
                        "api.tokens.file",
                        Type.STRING,
                        "",
                        new FilePath(),
                        Importance.HIGH,
                        "File of lines `principal token [level]`: the accounts of the API. Without a level, the one in"
                                + " ADMINCFG applies.")
                .define(
                        "api.open.level",
                        Type.STRING,
                        AccessLevel.AUDITOR.label(),
                        ConfigDef.ValidString.in("1", "2", "3", "4", "user"),
                        Importance.MEDIUM,
                        "Level of everyone on this machine while api.tokens.file is not set: a level of ADMINCFG, or"
                                + " user.")
                .define(
                        "api.announce.file",
                        Type.STRING,
                        "",
                        new FilePath(),
                        Importance.LOW,
                        "File that holds the address of the API while it is served.")
                .define(
                        "nonstop.host",
                        Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "Address of the failure service, which is served where the policy enables it, on the port of"
                                + " nonstop.conf and with the tokens and certificate of the API. Empty turns it off.")
                .define(
                        "nonstop.callbacks",
                        Type.LIST,
                        "",
                        Importance.MEDIUM,
                        "Where the failure service may send callbacks: HOST, *.DOMAIN, ADDRESS or NETWORK/BITS, with"
                                + " :PORT or :FROM-TO. Empty allows no callbacks.")
                .define(
                        "api.request.timeout.ms",
                        Type.INT,
                        30_000,
                        Range.between(1, HOUR_MS),
                        Importance.LOW,
                        "How long the API waits for the scheduler's answer to a request.");
    }

    /**
     * Takes the settings out of {@code config}; empty when no API is wanted.
     *
     * @throws ConfigException when it would be open to the network without authentication
     */
    public static Optional<ApiSettings> from(ServiceConfig config) {
        int port = Math.toIntExact(config.number("api.port"));
        if (port < 0) {
            return Optional.empty();
        }
        String host = config.text("api.host");
        Optional<Path> tokens = path(config.text("api.tokens.file"));
        if (tokens.isEmpty() && !isLoopback(host)) {
            throw new ConfigException("api.host is " + host
                    + ", which others can reach, and api.tokens.file is not set: set it, or serve on 127.0.0.1");
        }
        Optional<TlsFiles> tls = TlsSettings.from(config, "api");
        if (tls.isEmpty() && !isLoopback(host)) {
            if (!config.flag("api.plaintext")) {
                throw new ConfigException("api.host is " + host
                        + ", which others can reach, and tokens would cross the network in clear text: set"
                        + " api.tls.certificate.file and api.tls.key.file, or api.plaintext=true behind a"
                        + " proxy that ends TLS");
            }
            log.warn("The API serves on {} without TLS: whoever sees the traffic has the tokens", host);
        }
        return Optional.of(new ApiSettings(
                host,
                port,
                tokens,
                AccessLevel.of(config.text("api.open.level")).orElseThrow(),
                path(config.text("api.announce.file")),
                Duration.ofMillis(config.number("api.request.timeout.ms")),
                config.list("api.host.names"),
                tls,
                ApiLimits.from(config),
                nonstopHost(config, tokens, tls),
                callbacks(config)));
    }

    private static CallbackRules callbacks(ServiceConfig config) {
        try {
            return CallbackRules.of(config.list("nonstop.callbacks"));
        } catch (IllegalArgumentException e) {
            throw new ConfigException("nonstop.callbacks: " + e.getMessage());
        }
    }

    private static Optional<String> nonstopHost(ServiceConfig config, Optional<Path> tokens, Optional<TlsFiles> tls) {
        String host = config.text("nonstop.host");
        boolean sheltered = tokens.isPresent() && (tls.isPresent() || config.flag("api.plaintext"));
        if (!host.isBlank() && !sheltered && !isLoopback(host)) {
            throw new ConfigException("nonstop.host is " + host
                    + ", which others can reach: set api.tokens.file, and api.tls.* or api.plaintext=true");
        }
        return host.isBlank() ? Optional.empty() : Optional.of(host);
    }

    /**
     * Returns how a failure service is served on {@code onPort}.
     *
     * @param read time in which a client has to deliver a request
     * @param write time in which it has to take in some of the answer, once there is one
     * @param called names by which its clients know it
     */
    HttpSettings nonstop(int onPort, Duration read, Duration write, List<String> called) {
        return new HttpSettings(
                "nonstop-http",
                nonstopHost.orElse(host),
                onPort,
                hostNames(called),
                tls,
                THREADS,
                limits.connections(),
                LONGEST_NONSTOP_BODY,
                read,
                timeout.plus(write));
    }

    /** Returns how the listener is set up. */
    HttpSettings http() {
        return new HttpSettings(
                "api-http",
                host,
                port,
                hostNames(List.of()),
                tls,
                THREADS,
                limits.connections(),
                LONGEST_BODY,
                PATIENCE,
                PATIENCE);
    }

    private HostNames hostNames(List<String> others) {
        List<String> names = new ArrayList<>(hosts);
        names.add(host);
        names.addAll(others);
        if (!isLoopback(host) || !others.isEmpty()) {
            try {
                InetAddress machine = InetAddress.getLocalHost();
                names.add(machine.getHostName());
                names.add(machine.getCanonicalHostName());
            } catch (UnknownHostException e) {
                log.warn("This machine's name is not known; api.host.names gives it: {}", e.toString());
            }
        }
        return HostNames.of(names);
    }

    private static Optional<Path> path(String text) {
        return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text));
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new ConfigException("api.host " + host + " is not known; give an address of this machine");
        }
    }
}
