package io.weir.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.junit.jupiter.api.Test;

class ClusterPartitionerTest {

    private static final int PARTITIONS = 12;

    @Test
    void shouldKeepAClusterTogether() {
        int expected = ClusterPartitioner.partition("alpha", PARTITIONS);

        for (String key : List.of("alpha", "alpha/", "alpha/n001", "alpha/job/7", "alpha/ä")) {
            assertThat(ClusterPartitioner.partition(key.getBytes(UTF_8), PARTITIONS))
                    .as(key)
                    .isEqualTo(expected);
        }
    }

    @Test
    void shouldAgreeWithOrdinaryProducersOnBareClusterNames() {
        for (int i = 0; i < 1_000; i++) {
            byte[] key = ("cluster-" + i).getBytes(UTF_8);
            assertThat(ClusterPartitioner.partition(key, PARTITIONS))
                    .isEqualTo(BuiltInPartitioner.partitionForKey(key, PARTITIONS));
        }
    }

    /** Stored data depends on these: they may never change. */
    @Test
    void shouldPutClustersWhereTheyHaveAlwaysBeen() {
        assertThat(ClusterPartitioner.partition("alpha", PARTITIONS)).isEqualTo(4);
        assertThat(ClusterPartitioner.partition("beta", PARTITIONS)).isEqualTo(8);
    }

    @Test
    void shouldSpreadClustersOverAllPartitions() {
        Set<Integer> used = IntStream.range(0, 200)
                .mapToObj(i -> ClusterPartitioner.partition("c" + i, PARTITIONS))
                .collect(Collectors.toSet());

        assertThat(used).hasSize(PARTITIONS);
    }

    @Test
    void shouldTreatNoKeyAsTheEmptyCluster() {
        assertThat(ClusterPartitioner.partition((byte[]) null, PARTITIONS))
                .isEqualTo(ClusterPartitioner.partition("", PARTITIONS));
    }

    @Test
    void shouldAskTheProducerForTheNumberOfPartitions() {
        Node node = new Node(0, "localhost", 9092);
        List<PartitionInfo> partitions = IntStream.range(0, PARTITIONS)
                .mapToObj(i -> new PartitionInfo("t", i, node, new Node[] {node}, new Node[] {node}))
                .toList();
        Cluster cluster = new Cluster("id", List.of(node), partitions, Set.of(), Set.of());

        try (ClusterPartitioner partitioner = new ClusterPartitioner()) {
            assertThat(partitioner.partition("t", "alpha/x", "alpha/x".getBytes(UTF_8), null, null, cluster))
                    .isEqualTo(ClusterPartitioner.partition("alpha", PARTITIONS));
        }
    }
}
