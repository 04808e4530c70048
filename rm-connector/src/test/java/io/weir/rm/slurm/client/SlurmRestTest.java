package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One client for services that offer this version or that, and what they say when there is nothing to say. */
class SlurmRestTest {
    private static final Instant SINCE = Instant.ofEpochSecond(1000);

    private final Service service = new Service();
    private final SlurmRest rest = new SlurmRest(service, null, Duration.ofSeconds(1));

    /** Answers what it was told to, and remembers what it was asked. */
    private static final class Service implements RestTransport {
        private final Map<String, Reply> replies = new HashMap<>();
        private final List<String> asked = new ArrayList<>();

        void offer(String... versions) {
            StringBuilder paths = new StringBuilder();
            for (String version : versions) {
                paths.append("\"/slurm/").append(version).append("/jobs/\":{},");
                say("/slurm/" + version + "/ping", "\"meta\":{\"slurm\":{\"release\":\"of-" + version + "\"}}");
            }
            say("/openapi/v3", "\"paths\":{" + paths + "\"/slurmdb/v0.0.43/jobs/\":{}}");
        }

        void say(String target, String fields) {
            replies.put(target, new Reply(200, ("{" + fields + "}").getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public Reply send(String method, String target, byte @Nullable [] body, Duration limit) throws IOException {
            asked.add(method + " " + target);
            @Nullable Reply reply = replies.get(target);
            if (reply == null) {
                throw new IOException("nobody knows " + target);
            }
            return reply;
        }

        @Override
        public String toString() {
            return "test";
        }
    }

    @Test
    void shouldTakeNewestVersionThatBothKnow() {
        service.offer("v0.0.38", "v0.0.41", "v0.0.40", "v0.0.77");

        assertThat(rest.version()).hasToString("v0.0.41");
        assertThat(rest.slurmVersion()).isEqualTo("of-v0.0.41");
        assertThat(rest.version()).hasToString("v0.0.41");
        assertThat(service.asked).containsExactly("GET /openapi/v3", "GET /slurm/v0.0.41/ping");
    }

    @Test
    void shouldSayWhatIsWrongWhenNoVersionIsKnown() {
        service.offer("v0.0.37", "v0.0.77");

        assertThatThrownBy(rest::version)
                .isInstanceOf(RmException.class)
                .isNotInstanceOf(RetriableRmException.class)
                .hasMessageContaining("v0.0.38");
    }

    @Test
    void shouldAgreeAnewWhenServiceWasReplaced() {
        service.offer("v0.0.39");
        assertThat(rest.version()).hasToString("v0.0.39");
        service.replies.clear();
        assertThatThrownBy(() -> rest.job("1")).isInstanceOf(RetriableRmException.class);

        service.offer("v0.0.42", "v0.0.43");

        assertThat(rest.version()).hasToString("v0.0.43");
        assertThat(rest.slurmVersion()).isEqualTo("of-v0.0.43");
    }

    /** Slurm keeps what a user names a job as it came, such as in Latin-1, and slurmrestd hands it on. */
    @Test
    void shouldReadWhatIsNoUtf8() {
        service.offer("v0.0.40");
        String jobs =
                "{\"meta\":{},\"jobs\":[{\"job_id\":5,\"comment\":\"M\u00fcller\"},{\"job_id\":6}],\"last_update\":{\"set\":true,"
                        + "\"number\":7}}";
        service.replies.put(
                "/slurm/v0.0.40/jobs", new RestTransport.Reply(200, jobs.getBytes(StandardCharsets.ISO_8859_1)));

        assertThat(rest.jobs(null).orElseThrow())
                .extracting(SlurmJob::key, SlurmJob::comment)
                .containsExactly(tuple("5", "M\ufffdller"), tuple("6", null));
    }

    @Test
    void shouldNotTakeUnchangedForGone() {
        service.offer("v0.0.40");
        service.say(
                "/slurm/v0.0.40/jobs?update_time=1000",
                "\"meta\":{},\"jobs\":[],\"errors\":[],\"last_update\":{\"set\":true,\"infinite\":false,\"number\":0},"
                        + "\"warnings\":[{\"description\":\"No job changes since update_time[1000]\"}]");
        service.say(
                "/slurm/v0.0.40/nodes?update_time=1000",
                "\"meta\":{},\"nodes\":[],\"errors\":[{\"error_number\":1900,\"error\":\"Data has not changed\","
                        + "\"description\":\"Failure to query nodes\"}]");

        assertThat(rest.jobs(SINCE)).isEmpty();
        assertThat(rest.nodes(SINCE)).isEmpty();
    }

    @Test
    void shouldAskForAllWhenAnEmptyListMayMeanEither() {
        service.offer("v0.0.43");
        service.say(
                "/slurm/v0.0.43/jobs?update_time=1000",
                "\"meta\":{},\"jobs\":[],\"last_update\":{\"set\":true,\"number\":7}");
        service.say("/slurm/v0.0.43/jobs", "\"meta\":{},\"jobs\":[{\"job_id\":5}]");
        // Nodes changed, and only the partitions did not.
        service.say(
                "/slurm/v0.0.43/nodes?update_time=1000",
                "\"meta\":{},\"errors\":[{\"error_number\":1900,\"error\":\"Data has not changed\","
                        + "\"description\":\"Unable to query partitions\"}]");
        service.say("/slurm/v0.0.43/nodes", "\"meta\":{},\"nodes\":[{\"name\":\"n1\",\"state\":[\"IDLE\"]}]");

        assertThat(rest.jobs(SINCE).orElseThrow()).extracting(SlurmJob::id).containsExactly(5L);
        assertThat(rest.nodes(SINCE).orElseThrow()).extracting(SlurmNode::name).containsExactly("n1");
    }

    @Test
    void shouldAskForAllAtOnceForAWhileWhenTheQuestionForChangesFailed() {
        service.offer("v0.0.43");
        service.say(
                "/slurm/v0.0.43/nodes?update_time=1000",
                "\"meta\":{},\"errors\":[{\"error_number\":1900,\"error\":\"Data has not changed\","
                        + "\"description\":\"Unable to query partitions\"}]");
        service.say("/slurm/v0.0.43/nodes", "\"meta\":{},\"nodes\":[{\"name\":\"n1\",\"state\":[\"IDLE\"]}]");

        StringBuilder questions = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            service.asked.clear();
            assertThat(rest.nodes(SINCE).orElseThrow()).hasSize(1);
            questions.append(service.asked.stream().anyMatch(target -> target.contains("update_time")) ? '?' : '.');
        }
        assertThat(questions).hasToString("?.?..?....?........?........?.");

        service.say("/slurm/v0.0.43/nodes?update_time=1000", "\"meta\":{},\"nodes\":[{\"name\":\"n1\"}]");
        for (int i = 0; i < 10; i++) {
            rest.nodes(SINCE);
        }
        assertThat(service.asked)
                .last()
                .asString()
                .as("asked again once answered")
                .contains("update_time");
    }

    @Test
    void shouldNotAskVersion39ForChangedJobs() {
        service.offer("v0.0.39");
        service.say("/slurm/v0.0.39/jobs", "\"meta\":{},\"jobs\":[]");

        assertThat(rest.jobs(SINCE).orElseThrow()).isEmpty();
    }

    @Test
    void shouldFindRefusalAmongResults() {
        service.offer("v0.0.41");
        service.say(
                "/slurm/v0.0.41/job/17",
                "\"meta\":{},\"errors\":[],\"results\":[{\"job_id\":17,\"error\":\"Job is not pending\",\"error_code\":2021}]");

        assertThatThrownBy(() -> rest.update("17", new JobChange(null, false, 5L, null, "words")))
                .isInstanceOf(SlurmRefusal.class)
                .hasMessageContaining("ended");
    }

    @Test
    void shouldKnowThatJobIsUnknown() {
        service.offer("v0.0.42");
        service.say(
                "/slurm/v0.0.42/job/17",
                "\"meta\":{},\"jobs\":[],\"errors\":[{\"description\":\"Unable to query JobId=17\",\"error_number\":2017,"
                        + "\"error\":\"Invalid job id specified\",\"source\":\"_handle_job_get\"}]");

        assertThat(rest.job("17")).isEmpty();
    }
}
