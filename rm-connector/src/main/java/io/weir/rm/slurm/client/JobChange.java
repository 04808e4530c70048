package io.weir.rm.slurm.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to change on a job; null is left as it is. Version 38 takes the options of sbatch ({@code nodelist} among them,
 * though its description does not say so), later ones the fields of Slurm's job description.
 *
 * @param nodes where it has to run, and nowhere else
 * @param hold whether it may start
 * @param limitMinutes its time limit; {@link SlurmJob#UNLIMITED_MINUTES} and more for none
 * @param begin when it may start at the earliest
 * @param adminComment the administrator's comment; not with version 38
 * @param reservation reservations it may use, by comma
 */
public record JobChange(
        @Nullable List<String> nodes,
        @Nullable Boolean hold,
        @Nullable Long limitMinutes,
        @Nullable Instant begin,
        @Nullable String adminComment,
        @Nullable String reservation) {
    public JobChange(
            @Nullable List<String> nodes,
            @Nullable Boolean hold,
            @Nullable Long limitMinutes,
            @Nullable Instant begin,
            @Nullable String adminComment) {
        this(nodes, hold, limitMinutes, begin, adminComment, null);
    }

    ObjectNode toJson(RestVersion version) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        if (hold != null) {
            json.put("hold", hold.booleanValue());
        }
        if (reservation != null) {
            json.put("reservation", reservation);
        }
        if (nodes != null) {
            NodeChange.to(nodes).addTo(json, version);
        }
        if (version.usesJobDescription()) {
            description(json, version);
        } else {
            options(json);
        }
        return json;
    }

    private static boolean isUnlimited(long minutes) {
        return minutes >= SlurmJob.UNLIMITED_MINUTES;
    }

    private void options(ObjectNode json) {
        if (adminComment != null) {
            throw new IllegalArgumentException("version 38 cannot change the administrator's comment");
        }
        if (limitMinutes != null) {
            if (isUnlimited(limitMinutes)) {
                json.put("time_limit", "UNLIMITED");
            } else {
                json.put("time_limit", limitMinutes);
            }
        }
        if (begin != null) {
            json.put("begin_time", "now");
        }
    }

    private void description(ObjectNode json, RestVersion version) {
        if (limitMinutes != null) {
            boolean unlimited = isUnlimited(limitMinutes);
            json.putObject("time_limit")
                    .put("set", !unlimited)
                    .put("infinite", unlimited)
                    .put("number", unlimited ? 0 : limitMinutes);
        }
        if (begin != null && !version.wrapsMoments()) {
            json.put("begin_time", begin.getEpochSecond());
        } else if (begin != null) {
            json.putObject("begin_time").put("set", true).put("infinite", false).put("number", begin.getEpochSecond());
        }
        if (adminComment != null) {
            json.put("admin_comment", adminComment);
        }
    }
}
