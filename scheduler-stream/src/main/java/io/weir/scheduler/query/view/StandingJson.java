package io.weir.scheduler.query.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.scheduler.core.policy.nonstop.NonstopText;
import io.weir.scheduler.query.image.ClusterImage;
import io.weir.schemas.Iteration;
import io.weir.schemas.NameValue;
import org.jspecify.annotations.Nullable;

/** Whether a cluster's jobs are scheduled, and the messages for everybody, as its last iteration tells them. */
public final class StandingJson {
    private StandingJson() {}

    /** Returns the number of the cluster's last iteration; 0 before the first. */
    public static long iteration(ClusterImage image, String cluster) {
        Iteration last = image.iterations().get(cluster);
        return last == null ? 0 : last.getNumber();
    }

    /**
     * Returns {@code state} (RUNNING, PAUSED, STOPPED, SUSPENDED), what else is known of it, {@code messages},
     * {@code disabledSlots}, and {@code failureService} (KEPT) while that keeps what it had in place of a file that was refused.
     */
    static ObjectNode of(@Nullable Iteration last) {
        ObjectNode object = JsonNodeFactory.instance
                .objectNode()
                .put("state", "RUNNING")
                .put("iteration", last == null ? 0 : last.getNumber())
                .put("now", last == null ? null : last.getNow().toString());
        ArrayNode messages = JsonNodeFactory.instance.arrayNode();
        ArrayNode slots = JsonNodeFactory.instance.arrayNode();
        if (last != null) {
            for (NameValue value : last.getStanding()) {
                if (value.getName().equals("message")) {
                    messages.add(value.getValue());
                } else if (value.getName().equals("disabledSlot")) {
                    slots.add(value.getValue());
                } else if (value.getName().equals(NonstopText.RECORD)) {
                    object.put("failureService", "KEPT");
                } else if (value.getName().equals("stopAfter")) {
                    object.put(value.getName(), Long.parseLong(value.getValue()));
                } else {
                    object.put(value.getName(), value.getValue());
                }
            }
        }
        object.set("messages", messages);
        object.set("disabledSlots", slots);
        return object;
    }

    /** Adds {@code halted}, why there are no iterations, to a view of the scheduler or one that has it as a part. */
    public static JsonNode halted(JsonNode view, String why) {
        JsonNode scheduler = view.has("state") ? view : view.path("scheduler");
        if (scheduler instanceof ObjectNode object) {
            object.put("halted", why);
        }
        return view;
    }
}
