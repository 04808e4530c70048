package io.weir.scheduler.core.automation;

import com.google.re2j.Pattern;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** An object as an XML element, for programs that are told of it. Whatever a text holds, it stays in its attribute. */
final class ObjectXml {
    private static final Map<Character, String> ESCAPED =
            Map.of('&', "&amp;", '<', "&lt;", '>', "&gt;", '"', "&quot;", '\'', "&apos;");

    /** Characters of an element. */
    static final int LONGEST = 60_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");

    private ObjectXml() {}

    /** Returns {@code reservation} on {@code hosts}: times in epoch seconds, what it has not is left out. */
    static String of(AdministrativeReservation reservation, List<String> hosts) {
        StringBuilder xml = new StringBuilder("<rsv");
        attribute(xml, "Name", reservation.id());
        attribute(xml, "Label", reservation.terms().label());
        attribute(xml, "Owner", reservation.terms().owner());
        attribute(xml, "StartTime", Long.toString(reservation.start()));
        attribute(xml, "EndTime", Long.toString(reservation.end()));
        attribute(xml, "Procs", Integer.toString(reservation.procs()));
        attribute(xml, "HostList", String.join(",", hosts));
        attribute(xml, "Comment", reservation.terms().comment());
        return xml.append("/>").toString();
    }

    /** Returns an object of {@code type} with {@code values} as attributes; those beyond {@link #LONGEST} are left out. */
    static String of(String type, SortedMap<String, String> values) {
        StringBuilder xml = new StringBuilder("<" + type);
        for (Map.Entry<String, String> value : values.entrySet()) {
            int length = xml.length();
            if (NAME.matcher(value.getKey()).matches()) {
                attribute(xml, value.getKey(), value.getValue());
            }
            if (xml.length() > LONGEST) {
                xml.setLength(length);
            }
        }
        return xml.append("/>").toString();
    }

    private static void attribute(StringBuilder xml, String name, @Nullable String value) {
        if (value != null) {
            xml.append(' ').append(name).append("=\"");
            value.chars().forEach(c -> {
                String escaped = ESCAPED.get((char) c);
                if (escaped != null) {
                    xml.append(escaped);
                } else {
                    // XML has no way to say control characters and the like.
                    xml.append(c < ' ' || c >= 0xFFFE ? ' ' : (char) c);
                }
            });
            xml.append('"');
        }
    }
}
