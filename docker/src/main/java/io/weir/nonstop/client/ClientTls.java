package io.weir.nonstop.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Files in PEM that a client speaks TLS with. Immutable.
 *
 * @param authorities certificates that alone may vouch for the service; empty for those that Java trusts
 * @param certificate the client's own certificate, first, and those between it and its authority; empty for none
 * @param key the key of that certificate, PKCS#8 and unencrypted; empty for none
 */
public record ClientTls(Optional<Path> authorities, Optional<Path> certificate, Optional<Path> key) {
    /** Files of which there are none. */
    public static final ClientTls NONE = new ClientTls(Optional.empty(), Optional.empty(), Optional.empty());

    /** What is to be done about a service that asks for a certificate. */
    private static final String WANTED =
            "the server wants a client certificate; give --cert-file and --key-file, signed by an authority that it trusts";

    /** What a server says about its client's certificate. */
    private static final Pattern REFUSED = Pattern.compile(
            "Received fatal alert: (bad_certificate|certificate_\\w+|unsupported_certificate|unknown_ca|access_denied)");

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]*)-----END PRIVATE KEY-----");

    /** Password of a store that is never written. */
    private static final char[] IN_MEMORY = "in-memory".toCharArray();

    /** Says whether no file is named. */
    public boolean isNone() {
        return equals(NONE);
    }

    /**
     * Says why {@code failure} of a connection is for want of the client's own certificate.
     *
     * @return what to do about it; empty when it failed for something else
     */
    public static Optional<String> complaint(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (REFUSED.matcher(message).find()) {
                return Optional.of(WANTED);
            }
        }
        return Optional.empty();
    }

    /**
     * Says that {@code failure} of a connection is for want of a server's certificate that is valid now.
     *
     * @return what is wrong with it and what to do; empty when it failed for something else
     */
    public static Optional<String> outOfDate(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateExpiredException) {
                return Optional.of("its certificate, or one that vouches for it, has expired (" + cause.getMessage()
                        + "); have it renewed, or set this machine's clock");
            }
            if (cause instanceof CertificateNotYetValidException) {
                return Optional.of("its certificate, or one that vouches for it, is not valid yet ("
                        + cause.getMessage() + "); have it replaced, or set the clocks of both machines");
            }
        }
        return Optional.empty();
    }

    /**
     * Reads the files.
     *
     * @throws IOException when one cannot be read or does not hold what it should
     */
    public SSLContext context() throws IOException {
        if (certificate.isPresent() != key.isPresent()) {
            throw new IOException("a certificate and its key go together: give --cert-file and --key-file");
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(), trust(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be used: " + e.getMessage(), e);
        }
    }

    private TrustManager @Nullable [] trust() throws IOException, GeneralSecurityException {
        if (authorities.isEmpty()) {
            return null;
        }
        KeyStore store = empty();
        for (Certificate each : certificates(authorities.get())) {
            store.setCertificateEntry("authority" + store.size(), each);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust.getTrustManagers();
    }

    private KeyManager @Nullable [] keys() throws IOException, GeneralSecurityException {
        if (certificate.isEmpty() || key.isEmpty()) {
            return null;
        }
        List<Certificate> chain = certificates(certificate.get());
        KeyStore store = empty();
        store.setKeyEntry(
                "own",
                privateKey(key.get(), chain.get(0).getPublicKey().getAlgorithm()),
                IN_MEMORY,
                chain.toArray(Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, IN_MEMORY);
        return keys.getKeyManagers();
    }

    private static List<Certificate> certificates(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            List<Certificate> found =
                    new ArrayList<>(CertificateFactory.getInstance("X.509").generateCertificates(in));
            if (found.isEmpty()) {
                throw new IOException(file + " has no certificate");
            }
            return found;
        } catch (GeneralSecurityException e) {
            throw new IOException(file + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static PrivateKey privateKey(Path file, String algorithm) throws IOException {
        Matcher block = KEY.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (!block.find()) {
            throw new IOException(file + " holds no -----BEGIN PRIVATE KEY-----; `openssl pkcs8 -topk8 -nocrypt -in OLD"
                    + " -out NEW` makes one");
        }
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(block.group(1));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException(
                    file + " does not hold the key of the certificate, which is for " + algorithm + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
    }
}
