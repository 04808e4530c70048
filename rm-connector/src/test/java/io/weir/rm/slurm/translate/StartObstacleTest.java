package io.weir.rm.slurm.translate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.slurm.translate.StartObstacle.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartObstacleTest {
    @ParameterizedTest
    @CsvSource({
        "Licenses, PASSING",
        "AssocGrpCpuLimit, PASSING",
        "AssocGrpCPUMinutesLimit, PASSING",
        "AssocMaxJobsLimit, PASSING",
        "QOSMaxJobsPerUserLimit, PASSING",
        "QOSGrpNodeLimit, PASSING",
        "QOSMaxCpuPerUserLimit, PASSING",
        "QOSMaxNodePerUserLimit, PASSING",
        "QOSMaxMemoryPerUser, PASSING",
        "QOSUsageThreshold, PASSING",
        "MaxCpuPerAccount, PASSING",
        "MaxJobsPerAccount, PASSING",
        "AssocGrpWallLimit, PASSING",
        "Cleaning, PASSING",
        "QOSMaxGRESPerNode, REQUEST",
        "AssocMaxCpuPerNode, REQUEST",
        "QOSMinCpuNotSatisfied, REQUEST",
        "QOSMinGRES, REQUEST",
        "QOSMaxCpuMinutesPerJobLimit, REQUEST",
        "AssociationTimeLimit, REQUEST",
        "MaxMemPerLimit, OTHER",
        "AssocMaxCpuPerJobLimit, REQUEST",
        "AssocMaxWallDurationPerJobLimit, REQUEST",
        "QOSMaxNodePerJobLimit, REQUEST",
        "PartitionDown, PASSING",
        "PartitionTimeLimit, REQUEST",
        "PartitionNodeLimit, REQUEST",
        "QOSNotAllowed, REQUEST",
        "Resources, NODES",
        "Priority, PASSING",
        "BadConstraints, NODES",
        "'', OTHER"
    })
    void shouldTellWhatEndsByItselfFromWhatDoesNot(String reason, Kind kind) {
        assertThat(StartObstacle.of(reason, List.of("n1")).kind()).isEqualTo(kind);
    }

    @Test
    void shouldTryAgainLaterWhereSomethingElseHasTheNodes() {
        StartObstacle obstacle = StartObstacle.of("Resources", List.of("n1", "n2"));
        assertThat(obstacle.kind()).isEqualTo(Kind.PASSING);
        assertThat(obstacle.isCertain()).isFalse();
    }

    @Test
    void shouldWaitForSlurmsPassWhereAnotherJobIsAhead() {
        assertThat(StartObstacle.of("Priority", List.of("n1")).isCertain()).isFalse();
        assertThat(StartObstacle.of("Licenses", List.of("n1")).isCertain()).isTrue();
    }

    @Test
    void shouldBlameTheNodesThatSlurmNames() {
        assertThat(StartObstacle.of("ReqNodeNotAvail, UnavailableNodes:n[2-3]", List.of("n1", "n2", "n3"))
                        .nodes())
                .containsExactly("n2", "n3");
        assertThat(StartObstacle.of("ReqNodeNotAvail,_UnavailableNodes:n5", List.of("n5"))
                        .nodes())
                .containsExactly("n5");
        assertThat(StartObstacle.of("BadConstraints", List.of("n1", "n2")).kind())
                .as("which of them is not told")
                .isEqualTo(Kind.OTHER);
    }
}
