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
        "QOSMaxGRESPerNode, PASSING",
        "AssocMaxCpuPerNode, PASSING",
        "QOSMinCpuNotSatisfied, PASSING",
        "QOSMinGRES, PASSING",
        "QOSMaxCpuMinutesPerJobLimit, PASSING",
        "AssociationTimeLimit, PASSING",
        "MaxMemPerLimit, PASSING",
        "AssocMaxCpuPerJobLimit, PASSING",
        "AssocMaxWallDurationPerJobLimit, PASSING",
        "QOSMaxNodePerJobLimit, PASSING",
        "PartitionDown, PASSING",
        "PartitionTimeLimit, PASSING",
        "PartitionNodeLimit, PASSING",
        "QOSNotAllowed, PASSING",
        "InvalidAccount, PASSING",
        "InvalidQOS, PASSING",
        "ReservationDeleted, REQUEST",
        "Resources, NODES",
        "Priority, PASSING",
        "None, PASSING",
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
    void shouldTryAgainLaterWhereTheNodeIsUpAndAnotherJobWaitsForIt() {
        for (String reason : List.of(
                "ReqNodeNotAvail, May be reserved for other job", "ReqNodeNotAvail,_May_be_reserved_for_other_job")) {
            StartObstacle obstacle = StartObstacle.of(reason, List.of("n1"));
            assertThat(obstacle.kind()).isEqualTo(Kind.PASSING);
            assertThat(obstacle.isRoom()).isTrue();
            assertThat(obstacle.isCertain()).isFalse();
        }
        assertThat(StartObstacle.of("ReqNodeNotAvail, UnavailableNodes:n1", List.of("n1", "n2")))
                .isEqualTo(new StartObstacle(Kind.NODES, "ReqNodeNotAvail, UnavailableNodes:n1", List.of("n1")));
    }

    @Test
    void shouldWaitForSlurmsPassWhereAnotherJobIsAhead() {
        assertThat(StartObstacle.of("Priority", List.of("n1")).isCertain()).isFalse();
        assertThat(StartObstacle.of("Licenses", List.of("n1")).isCertain()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "QOSMaxWallDurationPerJobLimit, true",
        "QOSMinCpuNotSatisfied, true",
        "QOSMaxCpuMinutesPerJobLimit, true",
        "PartitionTimeLimit, true",
        "PartitionDown, true",
        "InvalidAccount, true",
        "AssocMaxJobsLimit, false",
        "QOSGrpNodeLimit, false",
        "AssocGrpCPURunMinutesLimit, false",
        "QOSGrpBillingRunMinutes, false",
    })
    void shouldTellWhatAnAdministratorEndsFromWhatTheEndOfAnotherJobEnds(String reason, boolean ofJobAlone) {
        StartObstacle obstacle = StartObstacle.of(reason, List.of("n1"));
        assertThat(obstacle.isAllowance()).isTrue();
        assertThat(obstacle.isOfJobAlone()).isEqualTo(ofJobAlone);
        assertThat(obstacle.isLimitOfJobs()).isEqualTo(!ofJobAlone);
        assertThat(StartObstacle.of("Licenses", List.of("n1")).isAllowance()).isFalse();
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
