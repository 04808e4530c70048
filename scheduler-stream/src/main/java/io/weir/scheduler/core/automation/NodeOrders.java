package io.weir.scheduler.core.automation;

import com.google.re2j.Pattern;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What may be ordered about a node, as requests in the name of a principal. A node is reserved once for one purpose: the
 * label of the reservation says so.
 */
public final class NodeOrders {
    private final ClusterState state;
    private final AutomaticRequests requests;

    public NodeOrders(ClusterState state, AutomaticRequests requests) {
        this.state = state;
        this.requests = requests;
    }

    /** Orders a state such as Drained; returns the request's id. */
    public String state(String principal, @Nullable Integer level, String node, String wanted) {
        return modify(principal, level, node, "state", wanted);
    }

    /** Orders another value of an attribute; returns the request's id. */
    public String modify(String principal, @Nullable Integer level, String node, String attribute, String value) {
        return requests.make(principal, level, RequestKind.MODIFY_NODE, node, List.of(new NameValue(attribute, value)));
    }

    /**
     * Orders a reservation of the node.
     *
     * @param duration as text; empty for one that lasts until it is released
     * @return the request's id; null when there is one already
     */
    @Nullable
    public String reserve(String principal, @Nullable Integer level, String node, String label, String duration) {
        if (find(node, label) != null) {
            return null;
        }
        List<NameValue> arguments = new ArrayList<>();
        arguments.add(new NameValue("hostexp", "^" + Pattern.quote(node) + "$"));
        arguments.add(new NameValue("label", label));
        arguments.add(new NameValue("flags", "IGNSTATE"));
        if (PolicyTime.seconds(duration) > 0) {
            arguments.add(new NameValue("duration", duration));
        }
        return requests.make(principal, level, RequestKind.CREATE_RESERVATION, "-", arguments);
    }

    /** Orders the release of that reservation; returns the request's id, null when there is none. */
    @Nullable
    public String release(String principal, @Nullable Integer level, String node, String label) {
        AdministrativeReservation reservation = find(node, label);
        return reservation == null
                ? null
                : requests.make(principal, level, RequestKind.RELEASE_RESERVATION, reservation.id(), List.of());
    }

    private @Nullable AdministrativeReservation find(String node, String label) {
        for (AdministrativeReservation reservation : state.administrativeReservations.on(node)) {
            if (label.equals(reservation.terms().label())) {
                return reservation;
            }
        }
        return null;
    }

    /** Returns {@code text} as a part of a label. */
    public static String labelled(String text) {
        StringBuilder label = new StringBuilder();
        for (int i = 0; i < Math.min(text.length(), 64); i++) {
            char c = text.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
            label.append(plain || c == '.' ? c : '_');
        }
        return label.toString();
    }
}
