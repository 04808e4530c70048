package io.weir.notifier.syslog;

import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierProvider;
import io.weir.notifier.spi.TrustedCertificates;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Channels of type {@code syslog}: every delivery is a message of RFC 5424. Stateless. */
public final class SyslogProvider implements NotifierProvider {

    static final String HOST = "host";
    static final String PORT = "port";
    static final String TRANSPORT = "transport";
    static final String CA_FILE = "ca.file";
    static final String FACILITY = "facility";
    static final String HOSTNAME = "hostname";
    static final String MESSAGE_BYTES = "message.bytes";
    static final String TIMEOUT_MS = "timeout.ms";

    /** By their numbers in RFC 5424. */
    private static final List<String> FACILITIES = List.of(
            "kern",
            "user",
            "mail",
            "daemon",
            "auth",
            "syslog",
            "lpr",
            "news",
            "uucp",
            "cron",
            "authpriv",
            "ftp",
            "ntp",
            "audit",
            "alert",
            "clock",
            "local0",
            "local1",
            "local2",
            "local3",
            "local4",
            "local5",
            "local6",
            "local7");

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    HOST,
                    Type.STRING,
                    "localhost",
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "The syslog server.")
            .define(
                    PORT,
                    Type.INT,
                    0,
                    ConfigDef.Range.between(0, 65_535),
                    Importance.MEDIUM,
                    "Its port; 0 for the standard one: 514, or 6514 with TLS.")
            .define(
                    TRANSPORT,
                    Type.STRING,
                    "tcp",
                    ConfigDef.CaseInsensitiveValidString.in("udp", "tcp", "tls"),
                    Importance.HIGH,
                    "`udp` (without confirmation that a message arrived), `tcp` with octet counting, or `tls`.")
            .define(
                    CA_FILE,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "PEM file of the certificates to trust; if empty, those that the JVM trusts.")
            .define(
                    FACILITY,
                    Type.STRING,
                    "daemon",
                    ConfigDef.CaseInsensitiveValidString.in(FACILITIES.toArray(String[]::new)),
                    Importance.LOW,
                    "Facility of the messages.")
            .define(HOSTNAME, Type.STRING, "", Importance.LOW, "Host name in the messages; this host's when empty.")
            .define(
                    MESSAGE_BYTES,
                    Type.INT,
                    8_000,
                    ConfigDef.Range.between(4_096, 60_000),
                    Importance.LOW,
                    "Longer messages are cut; servers have limits of their own (rsyslog: 8 KiB).")
            .define(
                    TIMEOUT_MS,
                    Type.INT,
                    10_000,
                    ConfigDef.Range.between(1, 120_000),
                    Importance.LOW,
                    "How long connecting may take, and how long the server may take to close the connection.");

    @Override
    public String type() {
        return "syslog";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public Notifier open(String channel, AbstractConfig settings) {
        SyslogTransport transport =
                SyslogTransport.valueOf(settings.getString(TRANSPORT).toUpperCase(Locale.ROOT));
        return new SyslogNotifier(
                settings.getString(HOST),
                settings.getInt(PORT) == 0 ? transport.port() : settings.getInt(PORT),
                transport,
                TrustedCertificates.context(CA_FILE, settings.getString(CA_FILE)),
                Duration.ofMillis(settings.getInt(TIMEOUT_MS)),
                new SyslogMessage(
                        FACILITIES.indexOf(settings.getString(FACILITY).toLowerCase(Locale.ROOT)),
                        settings.getString(HOSTNAME).isEmpty() ? hostname() : settings.getString(HOSTNAME),
                        settings.getInt(MESSAGE_BYTES)));
    }

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "-";
        }
    }
}
