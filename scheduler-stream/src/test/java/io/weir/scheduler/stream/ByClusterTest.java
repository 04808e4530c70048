package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topics.ClusterPartitioner;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ByClusterTest {
    @Test
    void shouldPutAllRecordsOfAClusterOnItsPartition() {
        for (String cluster : new String[] {"alpha", "beta", "gamma", "delta"}) {
            int partition = ClusterPartitioner.partition(cluster, 5);
            for (String entity : new String[] {"j1", "n1"}) {
                assertThat(new ByCluster().partitions("jobs", bytes(cluster + "/" + entity), new byte[0], 5))
                        .contains(Set.of(partition));
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
