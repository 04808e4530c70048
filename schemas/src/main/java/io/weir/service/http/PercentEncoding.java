package io.weir.service.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes text for headers and addresses, and takes paths and queries apart. What is not well-formed is refused: a broken escape, bytes that are no UTF-8, control characters.
 */
public final class PercentEncoding {
    private static final int HEX = 16;
    private static final int MOST_PARAMETERS = 100;

    private PercentEncoding() {}

    /** Returns {@code text} in printable ASCII without blanks, quotes and percent signs: these become %XX of their UTF-8. */
    public static String encode(String text) {
        StringBuilder value = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b <= '~' && b != '"' && b != '%') {
                value.append((char) b);
            } else {
                value.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return value.toString();
    }

    /** Returns the segments of a path, decoded, without empty ones. */
    static List<String> segments(String path) {
        List<String> segments = new ArrayList<>();
        for (String segment : path.split("/", -1)) {
            if (!segment.isEmpty()) {
                segments.add(decode(segment, false));
            }
        }
        return List.copyOf(segments);
    }

    /** Returns the parameters of a query in order; one without {@code =} has an empty value. */
    static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (query == null || query.isEmpty()) {
            return parameters;
        }
        for (String pair : query.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals), true);
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1), true);
            if (parameters.put(name, value) != null) {
                throw bad("Parameter '" + name + "' occurs more than once");
            }
            if (parameters.size() > MOST_PARAMETERS) {
                throw bad("The query has more than " + MOST_PARAMETERS + " parameters");
            }
        }
        return parameters;
    }

    private static String decode(String text, boolean plusIsSpace) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), HEX) : -1;
                int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), HEX) : -1;
                if (high < 0 || low < 0) {
                    throw bad("'" + text + "' has a % that two hexadecimal digits do not follow");
                }
                bytes.write(high * HEX + low);
                i += 2;
            } else if (c == '+' && plusIsSpace) {
                bytes.write(' ');
            } else if (c > ' ' && c < 127) {
                bytes.write(c);
            } else {
                throw bad("'" + text + "' has a character that is to be percent-encoded");
            }
        }
        String decoded;
        try {
            decoded = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw bad("'" + text + "' is not UTF-8, percent-encoded");
        }
        if (decoded.chars().anyMatch(Character::isISOControl)) {
            throw bad("'" + text + "' has a control character");
        }
        return decoded;
    }

    private static HttpRefusal bad(String message) {
        return new HttpRefusal(HttpRefusal.BAD_REQUEST, message);
    }
}
