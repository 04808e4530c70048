package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class SlurmDemandsTest {

    private static SlurmDemands demands(int tasks, int procsPerTask, String fields) {
        try {
            return SlurmDemands.of(new SlurmJson(new ObjectMapper().readTree("{" + fields + "}")), tasks, procsPerTask);
        } catch (JsonProcessingException e) {
            throw new AssertionError(fields, e);
        }
    }

    @Test
    void shouldCountMemoryByTask() {
        assertThat(demands(4, 2, "\"memory_per_cpu\":100").memoryMb()).isEqualTo(200);
        assertThat(demands(4, 1, "\"memory_per_node\":500").memoryMb()).isEqualTo(500);
        assertThat(demands(4, 1, "\"memory_per_node\":500,\"max_nodes\":2,\"tres_req_str\":\"cpu=4,node=2\"")
                        .memoryMb())
                .isEqualTo(250);
        assertThat(demands(9, 1, "\"memory_per_node\":500,\"max_nodes\":2,\"tres_req_str\":\"cpu=9,node=2\"")
                        .memoryMb())
                .as("four tasks on one node, five on the other")
                .isEqualTo(125);
    }

    @Test
    void shouldTellNodesThatWereAskedForFromThoseThatSlurmGuesses() {
        assertThat(demands(6, 1, "\"node_count\":2,\"max_nodes\":0,\"tres_req_str\":\"cpu=6,node=1,billing=6\"")
                        .nodes())
                .isNull();
        assertThat(demands(4, 1, "\"node_count\":2,\"max_nodes\":2,\"tres_req_str\":\"cpu=4,node=2\"")
                        .nodes())
                .isEqualTo(2);
    }

    @Test
    void shouldTakeTasksPerNodeWhenTheyCountUp() {
        assertThat(demands(4, 1, "\"tasks_per_node\":2").tasksPerNode()).isEqualTo(2);
        assertThat(demands(5, 1, "\"tasks_per_node\":2").tasksPerNode()).isNull();
    }

    @Test
    void shouldReadFeaturesAndObjectToChoices() {
        assertThat(demands(1, 1, "\"features\":\"fast&big\"").features()).containsExactly("big", "fast");
        assertThat(demands(1, 1, "\"features\":\"fast&big\"").objection()).isNull();
        assertThat(demands(1, 1, "\"features\":\"fast|big\"").objection()).contains("fast|big");
        assertThat(demands(1, 1, "\"excluded_nodes\":\"n1\"").objection()).contains("n1");
    }

    @Test
    void shouldAddUpGenericResourcesOfAllTypes() {
        assertThat(SlurmDemands.counts("gpu:tesla:2(S:0-1),gpu:k80:1,craynetwork:4,fpga"))
                .containsEntry("gpu", 3L)
                .containsEntry("craynetwork", 4L)
                .containsEntry("fpga", 1L)
                .hasSize(3);
        assertThat(demands(4, 1, "\"tres_per_job\":\"gres:gpu:8\"").gres()).containsEntry("gpu", 2L);
        assertThat(demands(4, 1, "\"tres_per_task\":\"gres:gpu:1\"").gres()).containsEntry("gpu", 1L);
        assertThat(SlurmDemands.counts("(null)")).isEmpty();
    }

    @Test
    void shouldExpandHostLists() {
        assertThat(HostList.expand("n[08-10,12],login,r[1-2]x"))
                .containsExactly("n08", "n09", "n10", "n12", "login", "r1x", "r2x");
        assertThat(HostList.expand("")).isEmpty();
        assertThat(HostList.expand("n[1-")).containsExactly("n[1-");
    }
}
