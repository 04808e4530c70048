package io.weir.notifier.spi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** Makes the TLS context of a channel from the certificates it is to trust. */
public final class TrustedCertificates {

    private TrustedCertificates() {}

    /**
     * Returns a context that trusts the certificates in the PEM file {@code path}, or what the JVM trusts when it is
     * blank.
     *
     * @param key the setting, for messages
     */
    public static SSLContext context(String key, @Nullable String path) {
        try {
            if (path == null || path.isBlank()) {
                return SSLContext.getDefault();
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trusting(key, Path.of(path)).getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException | InvalidPathException e) {
            throw new ConfigException(key, path, "cannot be used as a PEM file of certificates: " + e);
        }
    }

    private static TrustManagerFactory trusting(String key, Path path) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(path)) {
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + number++, certificate);
            }
            if (number == 0) {
                throw new ConfigException(key, path, "holds no certificate");
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }
}
