package io.weir.service.http;

import java.io.IOException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.kafka.common.config.ConfigException;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate that new connections are served with. It follows its files: {@link #refresh} takes what changed, and
 * keeps what it had while the files cannot be used, as between the exchange of the one and of the other. One thread at a
 * time.
 */
final class TlsKeys {
    private static final Logger log = LoggerFactory.getLogger(TlsKeys.class);
    private static final Duration SOON = Duration.ofDays(14);

    private static final Duration BETWEEN_WARNINGS = Duration.ofDays(1);

    private final TlsFiles files;
    private final InstantSource clock;
    private final SslContextFactory.Server factory = new SslContextFactory.Server();
    private String version;
    private String complaint = "";

    /** When the certificate in use ends. */
    private Instant end;

    private Instant nextWarning = Instant.MIN;

    /**
     * Reads {@code files}.
     *
     * @throws ConfigException when they cannot be used
     */
    TlsKeys(TlsFiles files) {
        this(files, InstantSource.system());
    }

    /** Reads {@code files}; {@code clock} tells when to warn of the certificate's end. */
    TlsKeys(TlsFiles files, InstantSource clock) {
        this.files = files;
        this.clock = clock;
        this.version = version();
        TlsFiles.Loaded loaded = files.load();
        this.end = loaded.expires();
        use(factory, loaded);
        warnOfEnd();
    }

    /** Returns the factory of the connections' engines. */
    SslContextFactory.Server factory() {
        return factory;
    }

    /** Takes new files into use for the connections to come, and says once a day that the certificate ends soon, or has ended. */
    void refresh() {
        try {
            String now = version();
            if (!now.equals(version)) {
                TlsFiles.Loaded loaded = files.load();
                factory.reload(changed -> use((SslContextFactory.Server) changed, loaded));
                version = now;
                complaint = "";
                log.info("TLS certificate read again: {}", files);
            }
        } catch (Exception e) {
            // Whatever it is, the certificate in use stays; said once, not at every look.
            String problem = String.valueOf(e.getMessage());
            if (!problem.equals(complaint)) {
                complaint = problem;
                log.warn("TLS certificate stays as it was: {}", problem);
            }
        }
        warnOfEnd();
    }

    private void warnOfEnd() {
        Instant now = clock.instant();
        if (Duration.between(now, end).compareTo(SOON) < 0 && !now.isBefore(nextWarning)) {
            nextWarning = now.plus(BETWEEN_WARNINGS);
            log.warn("TLS certificate of {} {} at {}; renew it", files, now.isBefore(end) ? "ends" : "ended", end);
        }
    }

    private void use(SslContextFactory.Server changed, TlsFiles.Loaded loaded) {
        changed.setKeyStore(loaded.keys());
        changed.setKeyStorePassword(loaded.password());
        changed.setKeyManagerPassword(loaded.password());
        KeyStore trusted = loaded.trusted().orElse(null);
        if (trusted != null) {
            changed.setTrustStore(trusted);
            changed.setNeedClientAuth(true);
        }
        changed.setSniRequired(false);
        changed.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        end = loaded.expires();
        nextWarning = Instant.MIN;
    }

    private String version() {
        try {
            return files.version();
        } catch (IOException e) {
            throw new ConfigException(files.prefix() + ": cannot be read: " + e);
        }
    }
}
