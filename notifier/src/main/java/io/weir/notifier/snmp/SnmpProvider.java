package io.weir.notifier.snmp;

import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierProvider;
import io.weir.notifier.spi.SecretFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.snmp4j.security.AuthHMAC192SHA256;
import org.snmp4j.security.AuthHMAC384SHA512;
import org.snmp4j.security.AuthSHA;
import org.snmp4j.security.PrivAES128;
import org.snmp4j.security.PrivAES256;
import org.snmp4j.security.SecurityProtocols;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;

/** Channels of type {@code snmp}: every delivery is a trap or an inform, of version 2c or 3. Stateless. */
public final class SnmpProvider implements NotifierProvider {

    static final String HOST = "host";
    static final String PORT = "port";
    static final String VERSION = "version";
    static final String INFORM = "inform";
    static final String COMMUNITY_FILE = "community.file";
    static final String USER = "user";
    static final String AUTH_PROTOCOL = "auth.protocol";
    static final String AUTH_PASSWORD_FILE = "auth.password.file";
    static final String PRIV_PROTOCOL = "priv.protocol";
    static final String PRIV_PASSWORD_FILE = "priv.password.file";
    static final String ENGINE_ID = "engine.id";
    static final String ENTERPRISE_OID = "enterprise.oid";
    static final String TIMEOUT_MS = "timeout.ms";

    private static final Map<String, OID> AUTHENTICATION =
            Map.of("sha", AuthSHA.ID, "sha-256", AuthHMAC192SHA256.ID, "sha-512", AuthHMAC384SHA512.ID);
    private static final Map<String, OID> PRIVACY = Map.of("aes", PrivAES128.ID, "aes-256", PrivAES256.ID);

    /** RFC 3414, 11.2. */
    private static final int SHORTEST_PASSWORD = 8;

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    HOST,
                    Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "The receiver, such as snmptrapd.")
            .define(PORT, Type.INT, 162, ConfigDef.Range.between(1, 65_535), Importance.MEDIUM, "Its UDP port.")
            .define(
                    VERSION,
                    Type.STRING,
                    "3",
                    ConfigDef.CaseInsensitiveValidString.in("2c", "3"),
                    Importance.HIGH,
                    "`3`, or `2c`, which sends everything in clear text.")
            .define(
                    INFORM,
                    Type.BOOLEAN,
                    false,
                    Importance.MEDIUM,
                    "Whether to send informs, which the receiver acknowledges, instead of traps. A trap that is lost"
                            + " on the way is not sent again.")
            .define(
                    COMMUNITY_FILE,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "With version 2c: file that holds the community string.")
            .define(USER, Type.STRING, "", Importance.MEDIUM, "With version 3: the user.")
            .define(
                    AUTH_PROTOCOL,
                    Type.STRING,
                    "sha-256",
                    ConfigDef.CaseInsensitiveValidString.in("sha", "sha-256", "sha-512"),
                    Importance.MEDIUM,
                    "With version 3: how messages are authenticated.")
            .define(
                    AUTH_PASSWORD_FILE,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "File that holds the password for it, of at least 8 characters; empty for neither authentication"
                            + " nor encryption.")
            .define(
                    PRIV_PROTOCOL,
                    Type.STRING,
                    "aes",
                    ConfigDef.CaseInsensitiveValidString.in("aes", "aes-256"),
                    Importance.MEDIUM,
                    "With version 3: how messages are encrypted.")
            .define(
                    PRIV_PASSWORD_FILE,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "File that holds the password for it; empty for no encryption.")
            .define(
                    ENGINE_ID,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "With version 3: id of the sending engine, 10 to 64 hexadecimal digits, which the receiver of"
                            + " traps has to know; if empty, derived from the channel's name.")
            .define(
                    ENTERPRISE_OID,
                    Type.STRING,
                    WeirMib.DEFAULT_ROOT,
                    new ConfigDef.NonEmptyString(),
                    Importance.LOW,
                    "OID under which WEIR-MIB is registered. A site that uses its own enterprise number changes the"
                            + " MIB accordingly.")
            .define(
                    TIMEOUT_MS,
                    Type.INT,
                    5_000,
                    ConfigDef.Range.between(1, 60_000),
                    Importance.LOW,
                    "How long an acknowledgement may take.");

    static {
        // The protocols are the JVM's to share; what has been added stays.
        SecurityProtocols protocols = SecurityProtocols.getInstance();
        protocols.addAuthenticationProtocol(new AuthSHA());
        protocols.addAuthenticationProtocol(new AuthHMAC192SHA256());
        protocols.addAuthenticationProtocol(new AuthHMAC384SHA512());
        protocols.addPrivacyProtocol(new PrivAES128());
        protocols.addPrivacyProtocol(new PrivAES256());
    }

    @Override
    public String type() {
        return "snmp";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public Notifier open(String channel, AbstractConfig settings) {
        return open(channel, settings, settings.getString(HOST), settings.getInt(PORT));
    }

    /** Opens a notifier to another receiver, with the credentials of {@code settings}. */
    static SnmpNotifier open(String channel, AbstractConfig settings, String host, int port) {
        return new SnmpNotifier(
                host,
                port,
                settings.getString(VERSION).equals("3") ? user(channel, settings) : community(settings),
                settings.getBoolean(INFORM),
                Duration.ofMillis(settings.getInt(TIMEOUT_MS)),
                new WeirMib(oid(settings.getString(ENTERPRISE_OID))),
                InstantSource.system(),
                System::nanoTime);
    }

    private static SnmpSecurity community(AbstractConfig settings) {
        return new SnmpSecurity.Community(SecretFile.of(settings, COMMUNITY_FILE)
                .orElseThrow(() -> new ConfigException(COMMUNITY_FILE, null, "version 2c needs a community")));
    }

    private static SnmpSecurity user(String channel, AbstractConfig settings) {
        String name = settings.getString(USER);
        if (name.isBlank() || name.length() > 32) {
            throw new ConfigException(USER, name, "version 3 needs a user, of at most 32 characters");
        }
        Optional<SecretFile> authentication = password(settings, AUTH_PASSWORD_FILE);
        Optional<SecretFile> privacy = password(settings, PRIV_PASSWORD_FILE);
        if (privacy.isPresent() && authentication.isEmpty()) {
            throw new ConfigException(PRIV_PASSWORD_FILE + " needs " + AUTH_PASSWORD_FILE + ", too");
        }
        return new SnmpSecurity.User(
                name,
                engine(channel, settings.getString(ENGINE_ID)),
                AUTHENTICATION.getOrDefault(settings.getString(AUTH_PROTOCOL).toLowerCase(Locale.ROOT), AuthSHA.ID),
                authentication,
                PRIVACY.getOrDefault(settings.getString(PRIV_PROTOCOL).toLowerCase(Locale.ROOT), PrivAES128.ID),
                privacy);
    }

    private static Optional<SecretFile> password(AbstractConfig settings, String key) {
        Optional<SecretFile> file = SecretFile.of(settings, key);
        try {
            if (file.isPresent() && file.get().read().length() < SHORTEST_PASSWORD) {
                throw new ConfigException(
                        key, file.get().path(), "holds a password of less than " + SHORTEST_PASSWORD + " characters");
            }
        } catch (IOException e) {
            throw new ConfigException(key, null, String.valueOf(e.getMessage()));
        }
        return file;
    }

    /** RFC 3411, SnmpEngineID: a number with the first bit set, 4 for text, and the text. */
    private static OctetString engine(String channel, String hex) {
        if (hex.isBlank()) {
            byte[] text = ("weir-" + channel).getBytes(StandardCharsets.UTF_8);
            OctetString id = new OctetString(new byte[] {(byte) 0x80, 0x00, 0x1F, (byte) 0x88, 0x04});
            id.append(text.length > 27 ? java.util.Arrays.copyOf(text, 27) : text);
            return id;
        }
        if (!hex.matches("([0-9a-fA-F]{2}){5,32}")) {
            throw new ConfigException(ENGINE_ID, hex, "must be 10 to 64 hexadecimal digits");
        }
        return new OctetString(java.util.HexFormat.of().parseHex(hex));
    }

    private static OID oid(String text) {
        if (!text.matches("1\\.3\\.6\\.1(\\.\\d{1,9}){1,20}")) {
            throw new ConfigException(ENTERPRISE_OID, text, "must be the numbers of an OID below 1.3.6.1");
        }
        return new OID(text);
    }
}
