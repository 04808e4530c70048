package io.weir.service.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads certificates and private keys in PEM. Messages name the setting and the file, never what is in it. */
final class PemFile {
    private static final Logger log = LoggerFactory.getLogger(PemFile.class);
    private static final long LONGEST = 1 << 20;
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PRIVATE_KEY = "PRIVATE KEY";

    private PemFile() {}

    /** Returns the certificates of {@code file} in order, at least one. */
    static List<X509Certificate> certificates(Path file, String setting) {
        List<X509Certificate> found = new ArrayList<>();
        Matcher block = BLOCK.matcher(text(file, setting));
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            while (block.find()) {
                if (block.group(1).equals(CERTIFICATE)) {
                    byte[] bytes = bytes(block.group(2), file, setting);
                    found.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes)));
                }
            }
        } catch (GeneralSecurityException e) {
            throw new ConfigException(setting + " " + file + ": certificate " + (found.size() + 1) + " cannot be read: "
                    + e.getMessage());
        }
        if (found.isEmpty()) {
            throw new ConfigException(setting + " " + file + " holds no -----BEGIN CERTIFICATE-----");
        }
        return found;
    }

    /** Returns the private key of {@code file}. */
    static PrivateKey privateKey(Path file, String setting) {
        Matcher block = BLOCK.matcher(text(file, setting));
        while (block.find()) {
            if (block.group(1).equals(PRIVATE_KEY)) {
                return key(bytes(block.group(2), file, setting), file, setting);
            }
        }
        throw new ConfigException(setting + " " + file
                + " holds no -----BEGIN PRIVATE KEY-----; `openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW` makes one");
    }

    private static PrivateKey key(byte[] bytes, Path file, String setting) {
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
            } catch (InvalidKeySpecException e) {
                // It is of one of the others, or of none.
                log.trace("{} holds no {} key", file, algorithm);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("Every Java platform has " + algorithm, e);
            }
        }
        throw new ConfigException(setting + " " + file + " holds a key that is neither RSA nor EC nor EdDSA");
    }

    private static byte[] bytes(String base64, Path file, String setting) {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(setting + " " + file + " is no PEM: a block is not in base 64");
        }
    }

    private static String text(Path file, String setting) {
        try {
            if (Files.size(file) > LONGEST) {
                throw new ConfigException(setting + " " + file + " has more than " + LONGEST + " bytes");
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new ConfigException(setting + " " + file + " cannot be read: " + e);
        }
    }
}
