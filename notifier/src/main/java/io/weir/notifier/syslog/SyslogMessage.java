package io.weir.notifier.syslog;

import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.OneLine;
import io.weir.schemas.Severity;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Writes a delivery as a message of RFC 5424: its fields as structured data, its text as the message, all on one line.
 * Immutable.
 *
 * @param facility number of the facility, 0 to 23
 * @param host name of this host
 * @param longest bytes of a message; the text is cut to fit
 */
record SyslogMessage(int facility, String host, int longest) {

    private static final int INFORMATIONAL = 6;
    private static final int WARNING = 4;
    private static final int ERROR = 3;
    private static final int NOTICE = 5;
    private static final int LONGEST_NAME = 32;
    private static final int LONGEST_HOST = 255;
    private static final int LONGEST_VALUE = 200;

    /** Returns the bytes of {@code delivery}. */
    byte[] of(Delivery delivery) {
        StringBuilder line = new StringBuilder();
        line.append('<').append(facility * 8 + priority(delivery.severity())).append(">1 ");
        line.append(delivery.time()).append(' ');
        line.append(name(host, LONGEST_HOST)).append(" weir ");
        line.append(ProcessHandle.current().pid()).append(' ');
        line.append(name(delivery.event(), LONGEST_NAME)).append(" [weir@32473");
        parameter(line, "id", delivery.id());
        parameter(line, "cluster", delivery.cluster());
        parameter(line, "event", delivery.event());
        parameter(line, "objectType", delivery.objectType());
        parameter(line, "objectId", delivery.objectId());
        if (delivery.possibleDuplicate()) {
            parameter(line, "possibleDuplicate", "true");
        }
        line.append("] \uFEFF");
        line.append(OneLine.of(delivery.subject()));
        if (!delivery.text().equals(delivery.subject())) {
            line.append(": ").append(OneLine.of(delivery.text()));
        }
        return OneLine.cut(line.toString(), longest).getBytes(StandardCharsets.UTF_8);
    }

    private static void parameter(StringBuilder line, String name, String value) {
        line.append(' ').append(name).append("=\"");
        OneLine.cut(value, LONGEST_VALUE).codePoints().forEach(c -> {
            if (c == '"' || c == '\\' || c == ']') {
                line.append('\\').appendCodePoint(c);
            } else if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029) {
                line.append('%').append(HexFormat.of().withUpperCase().toHexDigits(c, c > 0xFF ? 4 : 2));
            } else {
                line.appendCodePoint(c);
            }
        });
        line.append('"');
    }

    /** A field of the header: printable ASCII without blanks. */
    private static String name(String text, int longest) {
        String name = text.replaceAll("[^!-~]", "_");
        return name.isEmpty() ? "-" : name.substring(0, Math.min(name.length(), longest));
    }

    private static int priority(Severity severity) {
        return switch (severity) {
            case UNKNOWN -> NOTICE;
            case INFO -> INFORMATIONAL;
            case WARNING -> WARNING;
            case ERROR -> ERROR;
        };
    }
}
