package io.weir.scheduler.core.automation;

import io.weir.scheduler.core.reservation.AdministrativeReservation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A reservation as an XML element, for programs that are told of it. Whatever a text holds, it stays in its attribute. */
final class ReservationXml {
    private static final Map<Character, String> ESCAPED =
            Map.of('&', "&amp;", '<', "&lt;", '>', "&gt;", '"', "&quot;", '\'', "&apos;");

    private ReservationXml() {}

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

    private static void attribute(StringBuilder xml, String name, @Nullable String value) {
        if (value != null) {
            xml.append(' ').append(name).append("=\"");
            value.chars().forEach(c -> {
                String escaped = ESCAPED.get((char) c);
                if (escaped != null) {
                    xml.append(escaped);
                } else {
                    // XML has no way to say control characters.
                    xml.append(c < ' ' ? ' ' : (char) c);
                }
            });
            xml.append('"');
        }
    }
}
