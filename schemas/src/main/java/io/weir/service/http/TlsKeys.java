package io.weir.service.http;

import java.io.IOException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
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

    private final TlsFiles files;
    private final SslContextFactory.Server factory = new SslContextFactory.Server();
    private String version;
    private String complaint = "";

    /**
     * Reads {@code files}.
     *
     * @throws ConfigException when they cannot be used
     */
    TlsKeys(TlsFiles files) {
        this.files = files;
        this.version = version();
        use(factory, files.load());
    }

    /** Returns the factory of the connections' engines. */
    SslContextFactory.Server factory() {
        return factory;
    }

    /** Takes new files into use for the connections to come. */
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
        Duration left = Duration.between(Instant.now(), loaded.expires());
        if (left.compareTo(SOON) < 0) {
            log.warn("TLS certificate of {} ends at {}; renew it", files, loaded.expires());
        }
    }

    private String version() {
        try {
            return files.version();
        } catch (IOException e) {
            throw new ConfigException(files.prefix() + ": cannot be read: " + e);
        }
    }
}
