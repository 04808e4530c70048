package io.weir.rm.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.rm.slurm.client.RestTransport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A slurmrestd of version 40 in front of a Slurm that runs and ends jobs when the test says so. */
final class ScriptedSlurm implements RestTransport {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String BASE = "/slurm/v0.0.40/";

    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private final List<String> released = new ArrayList<>();
    private final List<String> cancelled = new ArrayList<>();

    private long behind;

    private static final class Job {
        private String states = "\"PENDING\"";
        private boolean held = true;
        private String comment = "";
        private long started;
        private long restarts;
    }

    /** The controller's clock is set back. */
    void setBack(long seconds) {
        behind += seconds;
    }

    /** A job that waits, held. */
    void submit(String id) {
        jobs.put(id, new Job());
    }

    /** A job that was requeued at that second. */
    void submitRequeued(String id) {
        submit(id);
        jobs.get(id).restarts = 1;
    }

    /** A job that waits and that Weir started when it had been requeued {@code then} times; {@code now} it was so often. */
    void submitStarted(String id, long then, long now) {
        submit(id);
        jobs.get(id).comment = "[weir start=c/1@" + then + "]";
        jobs.get(id).restarts = now;
    }

    /** What stands in the administrator's comment of a job. */
    void note(String id, String comment) {
        jobs.get(id).comment = comment;
    }

    /** Somebody lifts the hold of a job. */
    void release(String id) {
        jobs.get(id).held = false;
    }

    /** Slurm's pass comes to a job that was released. */
    void run(String id, long second) {
        Job job = jobs.get(id);
        if (job.held) {
            throw new IllegalStateException("job " + id + " is held");
        }
        job.states = "\"RUNNING\"";
        job.started = second;
    }

    /** A job that was cancelled leaves its nodes. */
    void leave(String id) {
        end(id, "CANCELLED");
    }

    /** A job leaves its nodes. */
    void end(String id, String state) {
        jobs.get(id).states = "\"" + state + "\"";
    }

    /** Returns the jobs that were released, as often as they were. */
    List<String> released() {
        return released;
    }

    /** Returns the jobs that were cancelled, as often as they were. */
    List<String> cancelled() {
        return cancelled;
    }

    boolean isHeld(String id) {
        return jobs.get(id).held;
    }

    @Override
    public Reply send(String method, String target, byte @Nullable [] body, Duration limit) throws IOException {
        String path = target.startsWith(BASE) ? target.substring(BASE.length()) : target;
        if (path.startsWith("job/")) {
            return job(method, path.substring("job/".length()), body);
        }
        if (path.startsWith("jobs")) {
            return list("jobs", jobs.keySet().stream().map(this::json).collect(Collectors.joining(",")));
        }
        return switch (path) {
            case "/openapi/v3" -> say("\"paths\":{\"" + BASE + "jobs/\":{}}");
            case "diag" -> say("\"statistics\":{\"req_time_start\":1,\"req_time\":" + seconds() + "}");
            case "ping" -> say("\"pings\":[]");
            default -> list("nodes", "{\"name\":\"n1\",\"state\":[\"IDLE\"],\"cpus\":4}");
        };
    }

    private long seconds() {
        return System.currentTimeMillis() / 1000 - behind;
    }

    private Reply job(String method, String id, byte @Nullable [] body) throws IOException {
        Job job = jobs.get(id);
        if (method.equals("POST")) {
            JsonNode change = JSON.readTree(body);
            job.comment = change.path("admin_comment").asText(job.comment);
            if (change.has("hold")) {
                job.held = change.path("hold").asBoolean();
                if (!job.held) {
                    released.add(id);
                }
            }
        } else if (method.equals("DELETE")) {
            cancelled.add(id);
            job.states = "\"CANCELLED\",\"COMPLETING\"";
        }
        return list("jobs", json(id));
    }

    private String json(String id) {
        Job job = jobs.get(id);
        return "{\"job_id\":" + id + ",\"job_state\":[" + job.states + "],\"priority\":" + (job.held ? 0 : 1)
                + ",\"state_reason\":\"" + (job.held ? "JobHeldUser" : "None") + "\",\"admin_comment\":\""
                + job.comment + "\",\"partition\":\"scavenger\",\"qos\":\"low\",\"restart_cnt\":" + job.restarts
                + ",\"submit_time\":" + seconds()
                + (job.started == 0 ? "" : ",\"nodes\":\"n1\",\"start_time\":" + job.started) + "}";
    }

    private static Reply list(String name, String elements) {
        return say("\"" + name + "\":[" + elements + "],\"last_update\":{\"set\":true,\"number\":7}");
    }

    private static Reply say(String fields) {
        return new Reply(200, ("{\"meta\":{}," + fields + "}").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "script";
    }
}
