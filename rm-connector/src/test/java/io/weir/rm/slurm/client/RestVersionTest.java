package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestVersionTest {

    @Test
    void shouldTakeNewestVersionBothKnow() {
        assertThat(RestVersion.newestIn(
                        List.of("/openapi/v3", "/slurm/v0.0.37/jobs", "/slurm/v0.0.39/jobs", "/slurmdb/v0.0.40/jobs/")))
                .contains(new RestVersion(39));
        assertThat(RestVersion.newestIn(List.of("/slurm/v0.0.41/jobs/", "/slurm/v0.0.99/jobs/")))
                .contains(new RestVersion(41));
        assertThat(RestVersion.newestIn(List.of("/slurm/v0.0.36/jobs"))).isEmpty();
    }

    @Test
    void shouldChangeJobInTheWordsOfItsVersion() {
        JobChange change = new JobChange(List.of("n3", "n4"), false, 90L, Instant.ofEpochSecond(1000), null);

        assertThat(change.toJson(new RestVersion(38)))
                .hasToString("{\"hold\":false,\"nodelist\":\"n3,n4\",\"nodes\":\"2-2\",\"time_limit\":90,"
                        + "\"begin_time\":\"now\"}");
        assertThat(change.toJson(new RestVersion(41)))
                .hasToString("{\"hold\":false,\"required_nodes\":[\"n3\",\"n4\"],\"minimum_nodes\":2,"
                        + "\"maximum_nodes\":2,\"time_limit\":{\"set\":true,\"infinite\":false,\"number\":90},"
                        + "\"begin_time\":{\"set\":true,\"infinite\":false,\"number\":1000}}");
        assertThat(change.toJson(new RestVersion(39)).path("begin_time").isNumber())
                .isTrue();
    }
}
