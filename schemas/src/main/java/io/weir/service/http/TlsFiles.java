package io.weir.service.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;

/**
 * The files that TLS is served with: a certificate chain and its private key in PEM, or both in one PKCS#12 store.
 *
 * @param prefix prefix of the settings, for messages: {@code api.tls} or {@code health.tls}
 * @param certificate PEM chain, the server's own certificate first; empty with a store
 * @param key PEM private key, PKCS#8 and unencrypted; empty with a store
 * @param store PKCS#12 store; empty with PEM files
 * @param password password of the store
 * @param clients PEM certificates of the authorities whose clients alone may connect; empty asks for no certificate
 */
public record TlsFiles(
        String prefix,
        Optional<Path> certificate,
        Optional<Path> key,
        Optional<Path> store,
        String password,
        Optional<Path> clients) {
    private static final String ALIAS = "server";

    /** Password of a store that is never written; stores want one. */
    private static final String IN_MEMORY = "in-memory";

    /** What the files hold. */
    record Loaded(KeyStore keys, String password, Optional<KeyStore> trusted, Instant expires) {}

    /**
     * Reads the files.
     *
     * @throws ConfigException naming the file and what is wrong with it
     */
    Loaded load() {
        KeyStore keys = store.isPresent() ? stored(store.get()) : pem();
        return new Loaded(keys, store.isPresent() ? password : IN_MEMORY, clients.map(this::authorities), expiry(keys));
    }

    /** Returns what tells one version of the files from another. */
    String version() throws IOException {
        StringBuilder version = new StringBuilder();
        for (Path file : files()) {
            version.append(file)
                    .append(' ')
                    .append(Files.getLastModifiedTime(file))
                    .append(' ')
                    .append(Files.size(file))
                    .append(' ')
                    .append(file.toRealPath())
                    .append('\n');
        }
        return version.toString();
    }

    private List<Path> files() {
        return Stream.of(certificate, key, store, clients)
                .flatMap(Optional::stream)
                .toList();
    }

    private KeyStore pem() {
        Path chainFile = certificate.orElseThrow();
        Path keyFile = key.orElseThrow();
        List<X509Certificate> chain = PemFile.certificates(chainFile, prefix + ".certificate.file");
        PrivateKey secret = PemFile.privateKey(keyFile, prefix + ".key.file");
        if (!KeyPairs.belong(secret, chain.get(0).getPublicKey())) {
            throw new ConfigException(prefix + ".key.file " + keyFile + " is not the key of the first certificate in "
                    + chainFile + "; give the pair that was made together");
        }
        try {
            KeyStore keys = empty();
            keys.setKeyEntry(ALIAS, secret, IN_MEMORY.toCharArray(), chain.toArray(Certificate[]::new));
            return keys;
        } catch (GeneralSecurityException | IOException e) {
            throw new ConfigException(prefix + ": " + chainFile + " and " + keyFile + " cannot be used: " + e);
        }
    }

    private KeyStore stored(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, password.toCharArray());
            if (Collections.list(keys.aliases()).stream().noneMatch(alias -> isKey(keys, alias))) {
                throw new ConfigException(prefix + ".keystore.file " + file + " holds no private key");
            }
            return keys;
        } catch (GeneralSecurityException | IOException e) {
            throw new ConfigException(prefix + ".keystore.file " + file + " cannot be read as PKCS#12: "
                    + e.getMessage() + "; check the file and " + prefix + ".keystore.password");
        }
    }

    private KeyStore authorities(Path file) {
        try {
            KeyStore trusted = empty();
            int number = 0;
            for (X509Certificate authority : PemFile.certificates(file, prefix + ".client.ca.file")) {
                trusted.setCertificateEntry("ca-" + number++, authority);
            }
            return trusted;
        } catch (GeneralSecurityException | IOException e) {
            throw new ConfigException(prefix + ".client.ca.file " + file + " cannot be used: " + e);
        }
    }

    private static boolean isKey(KeyStore keys, String alias) {
        try {
            return keys.isKeyEntry(alias);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The store is loaded", e);
        }
    }

    /** Returns when the first certificate of the server ends. */
    private static Instant expiry(KeyStore keys) {
        try {
            Instant first = Instant.MAX;
            for (String alias : Collections.list(keys.aliases())) {
                if (keys.isKeyEntry(alias) && keys.getCertificate(alias) instanceof X509Certificate own) {
                    Instant end = own.getNotAfter().toInstant();
                    first = end.isBefore(first) ? end : first;
                }
            }
            return first;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The store is loaded", e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    @Override
    public String toString() {
        return "TlsFiles" + files();
    }
}
