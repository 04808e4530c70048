package io.weir.notifier.mail;

import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierProvider;
import io.weir.notifier.spi.SecretFile;
import io.weir.notifier.spi.TrustedCertificates;
import jakarta.mail.internet.AddressException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/** Channels of type {@code mail}: every delivery is a mail, handed to one SMTP server. Stateless. */
public final class MailProvider implements NotifierProvider {

    static final String HOST = "host";
    static final String PORT = "port";
    static final String SECURITY = "security";
    static final String CA_FILE = "ca.file";
    static final String USER = "user";
    static final String PASSWORD_FILE = "password.file";
    static final String FROM = "from";
    static final String TO = "to";
    static final String DOMAIN = "domain";
    static final String TIMEOUT_MS = "timeout.ms";

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(HOST, Type.STRING, "localhost", new ConfigDef.NonEmptyString(), Importance.HIGH, "The SMTP server.")
            .define(
                    PORT,
                    Type.INT,
                    0,
                    ConfigDef.Range.between(0, 65_535),
                    Importance.MEDIUM,
                    "Its port; 0 for the standard one: 587 with STARTTLS, 465 with TLS, 25 with neither.")
            .define(
                    SECURITY,
                    Type.STRING,
                    "starttls",
                    ConfigDef.CaseInsensitiveValidString.in("none", "starttls", "tls"),
                    Importance.HIGH,
                    "`starttls` (a server that does not offer it is refused), `tls` from the first byte, or `none`.")
            .define(
                    CA_FILE,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "PEM file of the certificates to trust; if empty, those that the JVM trusts.")
            .define(USER, Type.STRING, "", Importance.MEDIUM, "User to authenticate as; empty for no authentication.")
            .define(
                    PASSWORD_FILE,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "File that holds the user's password; read for every mail.")
            .define(
                    FROM,
                    Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "Address of the sender.")
            .define(
                    TO,
                    Type.LIST,
                    List.of(),
                    ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                    Importance.HIGH,
                    "Recipients of notifications that name no recipient, or none that has an address.")
            .define(DOMAIN, Type.STRING, "", Importance.MEDIUM, "Appended to recipients that are bare user names.")
            .define(
                    TIMEOUT_MS,
                    Type.INT,
                    20_000,
                    ConfigDef.Range.between(1, 60_000),
                    Importance.LOW,
                    "How long connecting and each answer of the server may take.");

    @Override
    public String type() {
        return "mail";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public Notifier open(String channel, AbstractConfig settings) {
        return new MailNotifier(config(settings));
    }

    private static MailConfig config(AbstractConfig settings) {
        MailSecurity security =
                MailSecurity.valueOf(settings.getString(SECURITY).toUpperCase(Locale.ROOT));
        Optional<String> user = Optional.of(settings.getString(USER)).filter(name -> !name.isBlank());
        Optional<SecretFile> password = SecretFile.of(settings, PASSWORD_FILE);
        if (user.isPresent() != password.isPresent()) {
            throw new ConfigException(USER + " and " + PASSWORD_FILE + " go together; set both or neither");
        }
        if (user.isPresent() && security == MailSecurity.NONE && !isThisHost(settings.getString(HOST))) {
            throw new ConfigException(
                    SECURITY,
                    settings.getString(SECURITY),
                    "would send the password in the clear; use starttls or tls");
        }
        String domain = settings.getString(DOMAIN);
        if (!domain.isEmpty()) {
            requireAddress(DOMAIN, "x@" + domain, "");
        }
        requireAddress(FROM, settings.getString(FROM), domain);
        settings.getList(TO).forEach(recipient -> requireAddress(TO, recipient, domain));
        return new MailConfig(
                settings.getString(HOST),
                settings.getInt(PORT) == 0 ? security.port() : settings.getInt(PORT),
                security,
                TrustedCertificates.context(CA_FILE, settings.getString(CA_FILE)),
                user,
                password,
                settings.getString(FROM),
                settings.getList(TO),
                domain,
                Duration.ofMillis(settings.getInt(TIMEOUT_MS)));
    }

    private static boolean isThisHost(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
    }

    private static void requireAddress(String key, String address, String domain) {
        try {
            MailAddresses.one(address, domain);
        } catch (AddressException e) {
            throw new ConfigException(key, address, "is not a mail address: " + e.getMessage());
        }
    }
}
