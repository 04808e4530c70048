package io.weir.service;

import io.weir.service.http.TlsFiles;
import io.weir.service.setting.FilePath;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/** The settings {@code <part>.tls.*} that say which files TLS is served with. */
public final class TlsSettings {
    private TlsSettings() {}

    /** Adds the keys of {@code part}, such as {@code api}, to {@code definition}. */
    public static ConfigDef define(ConfigDef definition, String part) {
        String prefix = part + ".tls.";
        return definition
                .define(
                        prefix + "certificate.file",
                        Type.STRING,
                        "",
                        new FilePath(),
                        Importance.MEDIUM,
                        "Certificate chain in PEM. TLS is served if this or a keystore is set. Read again when the"
                                + " file changes.")
                .define(
                        prefix + "key.file",
                        Type.STRING,
                        "",
                        new FilePath(),
                        Importance.MEDIUM,
                        "Private key of the certificate in PEM (PKCS#8, not encrypted).")
                .define(
                        prefix + "keystore.file",
                        Type.STRING,
                        "",
                        new FilePath(),
                        Importance.LOW,
                        "PKCS#12 store with certificate and key, instead of the two PEM files.")
                .define(
                        prefix + "keystore.password",
                        Type.PASSWORD,
                        "",
                        Importance.LOW,
                        "Password of the keystore and its key.")
                .define(
                        prefix + "client.ca.file",
                        Type.STRING,
                        "",
                        new FilePath(),
                        Importance.LOW,
                        "PEM file of authorities; clients need a certificate from one of them. Empty asks for no"
                                + " client certificate.");
    }

    /**
     * Takes the files out of {@code config}; empty when TLS is not wanted.
     *
     * @throws ConfigException when there is half of what is needed, or both kinds
     */
    public static Optional<TlsFiles> from(ServiceConfig config, String part) {
        String prefix = part + ".tls";
        Optional<Path> certificate = path(config, prefix + ".certificate.file");
        Optional<Path> key = path(config, prefix + ".key.file");
        Optional<Path> store = path(config, prefix + ".keystore.file");
        Optional<Path> clients = path(config, prefix + ".client.ca.file");
        if (certificate.isPresent() != key.isPresent()) {
            throw new ConfigException(
                    prefix + ".certificate.file and " + prefix + ".key.file belong together; set both or none");
        } else if (certificate.isPresent() && store.isPresent()) {
            throw new ConfigException("Set " + prefix + ".certificate.file or " + prefix + ".keystore.file, not both");
        } else if (certificate.isEmpty() && store.isEmpty()) {
            if (clients.isPresent()) {
                throw new ConfigException(prefix + ".client.ca.file needs a certificate of the server's, too");
            }
            return Optional.empty();
        }
        return Optional.of(new TlsFiles(
                prefix,
                certificate,
                key,
                store,
                config.secret(prefix + ".keystore.password").value(),
                clients));
    }

    private static Optional<Path> path(ServiceConfig config, String setting) {
        String text = config.text(setting);
        return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text));
    }
}
