package io.weir.monitoring.format;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Influx line protocol, as Telegraf and ClusterCockpit write it: {@code measurement,tag=value field=value time}. The name of
 * an observation is the measurement and the field; a field called {@code value} is the measurement alone.
 */
final class InfluxLines implements Format {

    private static final int LONGEST_LINE = 65_536;
    private static final int MOST_PARTS = 1_000;

    @Override
    public String name() {
        return "influx";
    }

    @Override
    public Reading read(byte[] message) {
        Reading reading = new Reading();
        new String(message, StandardCharsets.UTF_8).lines().forEach(line -> {
            String text = line.strip();
            if (!text.isEmpty() && !text.startsWith("#")) {
                line(text, reading);
            }
        });
        return reading;
    }

    private static void line(String text, Reading reading) {
        if (text.length() > LONGEST_LINE) {
            reading.unreadable("a line of more than " + LONGEST_LINE + " characters");
            return;
        }
        int tagsEnd = end(text, 0, ' ', false);
        int fieldsEnd = tagsEnd < text.length() ? end(text, tagsEnd + 1, ' ', true) : tagsEnd;
        if (tagsEnd >= text.length() || fieldsEnd <= tagsEnd + 1) {
            reading.unreadable("no fields in '" + shown(text) + "'");
            return;
        }
        Optional<Instant> time = fieldsEnd < text.length()
                ? Times.ofText(text.substring(fieldsEnd + 1).strip())
                : Optional.empty();
        if (fieldsEnd < text.length() && time.isEmpty()) {
            reading.unreadable("no time at the end of '" + shown(text) + "'");
            return;
        }
        int measurementEnd = Math.min(end(text, 0, ',', false), tagsEnd);
        String measurement = unescaped(text.substring(0, measurementEnd));
        Map<String, String> tags = tags(text, measurementEnd, tagsEnd);
        if (measurement.isEmpty()) {
            reading.unreadable("no measurement in '" + shown(text) + "'");
            return;
        }
        int from = tagsEnd + 1;
        for (int part = 0; from < fieldsEnd && part < MOST_PARTS; part++) {
            int to = Math.min(end(text, from, ',', true), fieldsEnd);
            field(measurement, tags, text.substring(from, to), time, reading);
            from = to + 1;
        }
    }

    private static Map<String, String> tags(String text, int from, int to) {
        Map<String, String> tags = new HashMap<>();
        int begin = from + 1;
        for (int part = 0; begin < to && part < MOST_PARTS; part++) {
            int end = Math.min(end(text, begin, ',', false), to);
            int sign = end(text, begin, '=', false);
            if (sign < end) {
                tags.put(unescaped(text.substring(begin, sign)), unescaped(text.substring(sign + 1, end)));
            }
            begin = end + 1;
        }
        return Map.copyOf(tags);
    }

    private static void field(
            String measurement, Map<String, String> tags, String text, Optional<Instant> time, Reading reading) {
        int sign = end(text, 0, '=', false);
        if (sign >= text.length() - 1 || sign == 0) {
            reading.unreadable("no field in '" + shown(text) + "'");
            return;
        }
        String key = unescaped(text.substring(0, sign));
        String value = text.substring(sign + 1);
        String name = key.equals("value") ? measurement : measurement + "_" + key;
        if (value.startsWith("\"")) {
            // A text is no measured value; one without an end takes the rest of the line with it.
            if (end(value, 1, '"', false) >= value.length()) {
                reading.unreadable("no end of the text in '" + shown(text) + "'");
            }
            return;
        }
        Optional<Double> number = number(value);
        if (number.isEmpty()) {
            reading.unreadable("no number in '" + shown(text) + "'");
        } else {
            reading.add(new Observation(name, tags, number.get(), time));
        }
    }

    private static Optional<Double> number(String value) {
        switch (value) {
            case "t", "T", "true", "True", "TRUE" -> {
                return Optional.of(1.0);
            }
            case "f", "F", "false", "False", "FALSE" -> {
                return Optional.of(0.0);
            }
            default -> {
                String digits =
                        value.endsWith("i") || value.endsWith("u") ? value.substring(0, value.length() - 1) : value;
                try {
                    return digits.length() > 64 ? Optional.empty() : Optional.of(new BigDecimal(digits).doubleValue());
                } catch (NumberFormatException e) {
                    return Optional.empty();
                }
            }
        }
    }

    /** Returns the place of the first {@code stop} that is neither escaped nor, where they count, within quotes. */
    private static int end(String text, int from, char stop, boolean quotes) {
        boolean quoted = false;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (quotes && c == '"') {
                quoted = !quoted;
            } else if (c == stop && !quoted) {
                return i;
            }
        }
        return text.length();
    }

    private static String unescaped(String text) {
        return text.indexOf('\\') < 0 ? text : text.replaceAll("\\\\([,= \\\\])", "$1");
    }

    private static String shown(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "...";
    }
}
