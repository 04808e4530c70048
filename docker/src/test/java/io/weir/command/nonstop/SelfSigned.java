package io.weir.command.nonstop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import org.jspecify.annotations.NullUnmarked;

/**
 * A certificate of this machine that signed itself, made anew.
 *
 * @param chain its file, in PEM
 * @param key file of its key, in PEM
 */
@NullUnmarked
public record SelfSigned(Path chain, Path key) {
    private static final String PASSWORD = "of no use elsewhere";

    /** Makes it in {@code directory}. */
    public static SelfSigned in(Path directory) throws IOException, InterruptedException, GeneralSecurityException {
        Path file = directory.resolve("pair.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "pair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        Key key = store.getKey("pair", PASSWORD.toCharArray());
        return new SelfSigned(
                Files.writeString(
                        directory.resolve("chain.pem"),
                        pemOf("CERTIFICATE", store.getCertificate("pair").getEncoded())),
                Files.writeString(directory.resolve("key.pem"), pemOf("PRIVATE KEY", key.getEncoded())));
    }

    private static String pemOf(String type, byte[] bytes) {
        return "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + type
                + "-----\n";
    }
}
