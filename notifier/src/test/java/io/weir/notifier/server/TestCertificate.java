package io.weir.notifier.server;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A certificate for localhost that signs itself, made by openssl.
 *
 * @param certificate PEM file
 * @param key PEM file of its key
 */
public record TestCertificate(Path certificate, Path key) {

    /** Makes one in {@code directory}; the test is skipped without openssl. */
    public static TestCertificate make(Path directory) {
        DebianServer.requireInstalled("/usr/bin/openssl");
        TestCertificate made = new TestCertificate(directory.resolve("cert.pem"), directory.resolve("key.pem"));
        if (!Files.exists(made.certificate)) {
            DebianServer.run(
                    "openssl",
                    "req",
                    "-x509",
                    "-newkey",
                    "rsa:2048",
                    "-nodes",
                    "-days",
                    "2",
                    "-subj",
                    "/CN=localhost",
                    "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-keyout",
                    made.key.toString(),
                    "-out",
                    made.certificate.toString());
        }
        return made;
    }
}
