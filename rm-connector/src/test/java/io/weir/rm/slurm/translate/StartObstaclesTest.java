package io.weir.rm.slurm.translate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.schemas.NodeAllocation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartObstaclesTest {
    private static final Instant NOW = Instant.ofEpochSecond(2_000);

    private final StartObstacles obstacles = new StartObstacles();
    private final SlurmJob first = job(1);
    private final SlurmJob second = job(2);

    @Test
    void shouldWaitTwiceAsLongEachTime() {
        obstacles.met(first, StartObstacle.UNREGISTERED, NOW);
        assertThat(obstacles.nextChange(first, NOW)).isEqualTo(NOW.plusSeconds(10));

        obstacles.met(first, StartObstacle.UNREGISTERED, NOW);
        assertThat(obstacles.nextChange(first, NOW)).isEqualTo(NOW.plusSeconds(20));
        assertThat(obstacles.waitsFor(first, NOW.plusSeconds(20))).isEmpty();
    }

    @Test
    void shouldLetAllGoOnWhenWhatKeptThemBackIsOver() {
        obstacles.met(second, StartObstacle.UNREGISTERED, NOW);
        obstacles.met(first, StartObstacle.UNREGISTERED, NOW);
        obstacles.met(job(3), StartObstacle.of("AssocGrpCpuLimit", List.of()), NOW);

        obstacles.end(StartObstacle.UNREGISTERED, NOW);

        assertThat(obstacles.waitsFor(first, NOW)).isEmpty();
        assertThat(obstacles.waitsFor(job(3), NOW)).isPresent();
        assertThat(obstacles.takeEnded()).containsExactly("2", "1");
        assertThat(obstacles.takeEnded()).isEmpty();
    }

    @Test
    void shouldSayNothingOfJobsThatNoLongerWait() {
        obstacles.met(first, StartObstacle.UNREGISTERED, NOW);
        obstacles.met(second, StartObstacle.UNREGISTERED, NOW);

        obstacles.end(StartObstacle.UNREGISTERED, NOW.plusSeconds(10));
        assertThat(obstacles.takeEnded()).isEmpty();

        obstacles.met(first, StartObstacle.UNREGISTERED, NOW.plusSeconds(10));
        obstacles.end(StartObstacle.UNREGISTERED, NOW.plusSeconds(11));
        obstacles.forget(first.key());
        assertThat(obstacles.takeEnded()).isEmpty();
    }

    @Test
    void shouldTryAgainWhenAJobLeavesNodesThatHadNoRoom() {
        obstacles.met(first, StartObstacle.of("Resources", List.of("n1", "n2")), NOW);
        obstacles.met(second, StartObstacle.of("Resources", List.of("n3")), NOW);

        obstacles.left(List.of(ran(7, "n4", "")), NOW.plusSeconds(60));
        assertThat(obstacles.takeEnded()).isEmpty();
        assertThat(obstacles.leftOut(second, NOW.plusSeconds(60))).containsExactly("n3");

        obstacles.met(first, StartObstacle.of("Resources", List.of("n1", "n2")), NOW.plusSeconds(60));
        obstacles.left(List.of(ran(8, "n2", ""), ran(9, "n3", "")), NOW.plusSeconds(70));

        assertThat(obstacles.takeEnded()).containsExactly("1", "2");
        assertThat(obstacles.waitsFor(first, NOW.plusSeconds(70))).isEmpty();
        assertThat(obstacles.leftOut(second, NOW.plusSeconds(70))).isEmpty();
    }

    @Test
    void shouldTryAgainTheLaterTheMoreAttemptsWereInVain() {
        Instant attempt = NOW;
        for (int pause : new int[] {2, 4, 8, 10, 10}) {
            obstacles.met(first, StartObstacle.of("Priority", List.of("n1")), attempt);

            obstacles.left(List.of(ran(8, "n1", "")), attempt.plusSeconds(1));

            assertThat(obstacles.takeEnded()).containsExactly("1");
            assertThat(obstacles.nextChange(first, attempt.plusSeconds(1))).isEqualTo(attempt.plusSeconds(pause));
            attempt = attempt.plusSeconds(pause);
        }
    }

    @Test
    void shouldLeaveOutNodesThatDoNotSuitWhoeverLeavesThem() {
        obstacles.met(first, StartObstacle.of("BadConstraints", List.of("n1")), NOW);

        obstacles.left(List.of(ran(8, "n1", "")), NOW.plusSeconds(60));

        assertThat(obstacles.leftOut(first, NOW.plusSeconds(60))).containsExactly("n1");
    }

    @Test
    void shouldLetOneJobGoOnForEachThatCountedForItsLimit() {
        SlurmJob third = job(3, ",\"account\":\"chem\",\"qos\":\"short\"");
        SlurmJob fourth = job(4, ",\"account\":\"chem\"");
        SlurmJob fifth = job(5, ",\"account\":\"bio\",\"qos\":\"short\"");
        for (SlurmJob waiting : List.of(third, fourth, fifth)) {
            obstacles.met(waiting, StartObstacle.of("QOSMaxJobsPerUserLimit", List.of("n1")), NOW);
        }

        obstacles.left(List.of(ran(8, "n1", ",\"account\":\"physics\"")), NOW.plusSeconds(1));
        assertThat(obstacles.takeEnded()).isEmpty();

        for (SlurmJob waiting : List.of(third, fourth)) {
            obstacles.met(waiting, StartObstacle.of("QOSMaxJobsPerUserLimit", List.of("n1")), NOW.plusSeconds(10));
        }
        obstacles.met(fifth, StartObstacle.of("AssocGrpCPUMinutesLimit", List.of("n1")), NOW.plusSeconds(10));
        obstacles.left(List.of(ran(8, "n1", ",\"account\":\"chem\"")), NOW.plusSeconds(15));
        assertThat(obstacles.takeEnded()).containsExactly("3");
        assertThat(obstacles.waitsFor(third, NOW.plusSeconds(15))).isEmpty();
        obstacles.left(
                List.of(ran(8, "n1", ",\"account\":\"chem\""), ran(9, "n1", ",\"account\":\"bio\"")),
                NOW.plusSeconds(25));
        assertThat(obstacles.takeEnded()).containsExactly("4");
        assertThat(obstacles.waitsFor(fourth, NOW.plusSeconds(25))).isEmpty();
    }

    @Test
    void shouldLetAJobGoOnWhenOneOfAnAccountBelowTheSameLimitEnds() {
        SlurmJob waiting = job(3, ",\"account\":\"chem\"");
        obstacles.met(waiting, StartObstacle.of("AssocGrpCpuLimit", List.of("n1")), NOW);
        obstacles.seeAccountsAbove(Map.of("chem", List.of("science"), "bio", List.of("science")));

        obstacles.left(List.of(ran(8, "n1", ",\"account\":\"physics\"")), NOW.plusSeconds(3));
        assertThat(obstacles.takeEnded()).isEmpty();
        obstacles.left(List.of(ran(9, "n1", ",\"account\":\"bio\"")), NOW.plusSeconds(3));

        assertThat(obstacles.takeEnded()).containsExactly("3");
        assertThat(obstacles.waitsFor(waiting, NOW.plusSeconds(3))).isEmpty();
    }

    @Test
    void shouldTryAJobAgainEachMinuteThatWaitsForWhatOthersMayStillUse() {
        SlurmJob waiting = job(3, ",\"account\":\"chem\"");
        Instant attempt = NOW;
        for (int seconds : new int[] {10, 20, 40, 60, 60}) {
            obstacles.met(waiting, StartObstacle.of("AssocGrpCPURunMinutesLimit", List.of("n1")), attempt);
            assertThat(obstacles.nextChange(waiting, attempt)).isEqualTo(attempt.plusSeconds(seconds));
            attempt = attempt.plusSeconds(seconds);
        }
        obstacles.met(waiting, StartObstacle.of("AssocGrpCPURunMinutesLimit", List.of("n1")), attempt);

        obstacles.left(List.of(ran(8, "n1", ",\"account\":\"chem\"")), attempt.plusSeconds(15));

        assertThat(obstacles.takeEnded()).containsExactly("3");
        assertThat(obstacles.waitsFor(waiting, attempt.plusSeconds(15))).isEmpty();
    }

    @Test
    void shouldLetAJobGoOnWhenOneOfAPartitionWithTheSameQosEnds() {
        SlurmJob waiting = job(3, ",\"qos\":\"short\",\"partition\":\"a\"");
        obstacles.met(waiting, StartObstacle.of("QOSGrpCpuLimit", List.of("n1")), NOW);
        obstacles.left(List.of(ran(8, "n1", ",\"qos\":\"long\",\"partition\":\"a\"")), NOW.plusSeconds(3));
        assertThat(obstacles.takeEnded()).as("the partition has none").isEmpty();
        obstacles.seePartitionsWithQos(Set.of("a", "b"));

        obstacles.left(List.of(ran(8, "n1", ",\"qos\":\"long\",\"partition\":\"b\"")), NOW.plusSeconds(3));
        assertThat(obstacles.takeEnded()).isEmpty();
        obstacles.left(List.of(ran(9, "n1", ",\"qos\":\"long\",\"partition\":\"a\"")), NOW.plusSeconds(3));

        assertThat(obstacles.takeEnded()).containsExactly("3");
    }

    @Test
    void shouldTryAgainWhenMoreIsAllowedAndBeginToWaitAnew() {
        for (int attempt = 0; attempt < 4; attempt++) {
            obstacles.met(first, StartObstacle.of("QOSMaxWallDurationPerJobLimit", List.of("n1")), NOW);
        }
        obstacles.met(second, StartObstacle.of("Licenses", List.of("n1")), NOW);
        assertThat(obstacles.nextChange(first, NOW)).isEqualTo(NOW.plusSeconds(80));

        obstacles.allow(request -> false, NOW.plusSeconds(20));
        assertThat(obstacles.waitsFor(first, NOW.plusSeconds(20))).isPresent();
        obstacles.allow(request -> true, NOW.plusSeconds(20));

        assertThat(obstacles.waitsFor(first, NOW.plusSeconds(20))).isEmpty();
        assertThat(obstacles.takeEnded()).containsExactly("1");
        obstacles.met(first, StartObstacle.of("QOSMaxWallDurationPerJobLimit", List.of("n1")), NOW.plusSeconds(21));
        assertThat(obstacles.nextChange(first, NOW.plusSeconds(21))).isEqualTo(NOW.plusSeconds(31));
        obstacles.allow(request -> true, NOW.plusSeconds(22));
        assertThat(obstacles.nextChange(first, NOW.plusSeconds(22)))
                .as("not within two seconds of the first attempt")
                .isEqualTo(NOW.plusSeconds(23));
    }

    @Test
    void shouldTryAJobAgainThatAsksForSomethingElse() {
        SlurmJob waits = job(3, ",\"qos\":\"short\",\"time_limit\":10,\"partition\":\"a\"");
        obstacles.met(waits, StartObstacle.of("QOSMaxWallDurationPerJobLimit", List.of("n1")), NOW);

        assertThat(obstacles.waitsFor(waits, NOW)).isPresent();
        for (String changed : List.of(
                ",\"qos\":\"long\",\"time_limit\":10,\"partition\":\"a\"",
                ",\"qos\":\"short\",\"time_limit\":5,\"partition\":\"a\"",
                ",\"qos\":\"short\",\"time_limit\":10,\"partition\":\"b\"")) {
            assertThat(obstacles.waitsFor(job(3, changed), NOW)).as(changed).isEmpty();
        }
    }

    @Test
    void shouldLeaveOutPartitionsThatDoNotAdmitAJobWhileThereAreOthers() {
        StartObstacle down = StartObstacle.of("PartitionDown", List.of("n1"));

        obstacles.met(triedIn("a"), down, NOW);
        assertThat(obstacles.closedTo(triedIn("a"), NOW)).containsExactly("a");
        assertThat(obstacles.waitsFor(triedIn("a"), NOW)).isEmpty();
        assertThat(obstacles.nextChange(triedIn("a"), NOW)).isEqualTo(NOW.plusSeconds(10));

        obstacles.met(triedIn("b"), StartObstacle.of("QOSGrpCpuLimit", List.of("n2")), NOW);
        assertThat(obstacles.waitsFor(triedIn("b"), NOW)).as("none is left").isPresent();
        assertThat(obstacles.closedTo(triedIn("b"), NOW))
                .as("each is tried again then")
                .isEmpty();
    }

    @Test
    void shouldTryAJobInOnePartitionAfterTheOtherWhereOneOfThemDoesNotAdmitIt() {
        StartObstacle notAllowed = StartObstacle.of("AccountNotAllowed", List.of("n1"));
        SlurmJob both = triedIn("a,b");
        assertThat(obstacles.triable(both, List.of("a", "b"), NOW)).containsExactly("a", "b");

        obstacles.met(both, notAllowed, NOW);
        assertThat(obstacles.waitsFor(both, NOW))
                .as("which one it was nobody knows")
                .isEmpty();
        assertThat(obstacles.triable(both, List.of("a", "b"), NOW)).containsExactly("a");

        obstacles.met(triedIn("a"), notAllowed, NOW);
        assertThat(obstacles.waitsFor(both, NOW)).isEmpty();
        assertThat(obstacles.triable(both, List.of("a", "b"), NOW)).containsExactly("b");
        assertThat(obstacles.triable(both, List.of("a"), NOW))
                .as("with no other left")
                .containsExactly("a");

        obstacles.met(triedIn("b"), notAllowed, NOW);
        assertThat(obstacles.waitsFor(both, NOW)).as("none is left").isPresent();
        obstacles.forget(both.key());
        assertThat(obstacles.triable(both, List.of("a", "b"), NOW)).containsExactly("a", "b");
    }

    @Test
    void shouldTryAPartitionAgainAfterAWhileOrWhenItIsChanged() {
        StartObstacle limit = StartObstacle.of("PartitionTimeLimit", List.of("n1"));
        obstacles.met(triedIn("a"), limit, NOW);
        assertThat(obstacles.closedTo(triedIn("a"), NOW.plusSeconds(10))).isEmpty();
        obstacles.met(triedIn("a"), limit, NOW.plusSeconds(10));
        assertThat(obstacles.closedTo(triedIn("a"), NOW.plusSeconds(29))).containsExactly("a");
        assertThat(obstacles.usersThatMayBeAllowed(NOW.plusSeconds(29))).isNotEmpty();

        obstacles.allow(request -> request.partitions().contains("a"), NOW.plusSeconds(29));

        assertThat(obstacles.closedTo(triedIn("a"), NOW.plusSeconds(29))).isEmpty();
        assertThat(obstacles.takeEnded()).containsExactly("1");
    }

    @Test
    void shouldLeaveOutNoPartitionForWhatHoldsInEachOfThem() {
        obstacles.met(triedIn("a"), StartObstacle.of("Licenses", List.of("n1")), NOW);

        assertThat(obstacles.closedTo(triedIn("a"), NOW)).isEmpty();
        assertThat(obstacles.waitsFor(triedIn("a"), NOW)).isPresent();
    }

    @Test
    void shouldTryNoJobInAPartitionThatStartsNone() {
        SlurmJob there = job(7, ",\"job_state\":\"PENDING\",\"partition\":\"a\"");
        SlurmJob either = job(8, ",\"job_state\":\"PENDING\",\"partition\":\"a,b\"");
        assertThat(obstacles.knowsShut()).isFalse();

        assertThat(obstacles.shut(Map.of("a", "PartitionDown"))).isTrue();
        assertThat(obstacles.shut(Map.of("a", "PartitionDown"))).isFalse();
        assertThat(obstacles.waitsFor(there, NOW))
                .hasValueSatisfying(reason -> assertThat(reason).endsWith("PartitionDown"));
        assertThat(obstacles.waitsFor(either, NOW)).isEmpty();
        assertThat(obstacles.closedTo(either, NOW)).containsExactly("a");
        assertThat(obstacles.waitsFor(first, NOW)).as("in no partition").isEmpty();

        obstacles.shut(Map.of("a", "PartitionDown", "b", "PartitionInactive"));
        assertThat(obstacles.waitsFor(either, NOW)).isPresent();
        assertThat(obstacles.knowsShut()).isTrue();

        assertThat(obstacles.shut(Map.of())).isTrue();
        assertThat(obstacles.waitsFor(there, NOW)).isEmpty();
        assertThat(obstacles.closedTo(either, NOW)).isEmpty();
    }

    @Test
    void shouldTryANodeAgainThatIsUpAgain() {
        obstacles.met(first, StartObstacle.of("ReqNodeNotAvail,_UnavailableNodes:n1", List.of("n1")), NOW);
        obstacles.met(second, StartObstacle.of("BadConstraints", List.of("n1")), NOW);

        obstacles.returned(Set.of("n2"), NOW.plusSeconds(20));
        assertThat(obstacles.leftOut(first, NOW.plusSeconds(20))).containsExactly("n1");

        obstacles.returned(Set.of("n1"), NOW.plusSeconds(20));
        assertThat(obstacles.leftOut(first, NOW.plusSeconds(20))).isEmpty();
        assertThat(obstacles.leftOut(second, NOW.plusSeconds(20))).containsExactly("n1");
        assertThat(obstacles.takeEnded()).containsExactly("1");

        obstacles.met(
                first, StartObstacle.of("ReqNodeNotAvail,_UnavailableNodes:n1", List.of("n1")), NOW.plusSeconds(21));
        assertThat(obstacles.leftOut(first, NOW.plusSeconds(30))).containsExactly("n1");
        assertThat(obstacles.leftOut(first, NOW.plusSeconds(31)))
                .as("it came back while it was tried")
                .isEmpty();
    }

    /** Returns a job that may run in partitions a and b, as it stands after a start in one of them. */
    private static SlurmJob triedIn(String partition) {
        return job(
                1,
                ",\"job_state\":\"PENDING\",\"partition\":\"" + partition
                        + "\",\"admin_comment\":\"[weir,start=c/1/0@0,asked=n%3A1-0%3Bk%3A1%3Bq%3Aa%2Cb]\"");
    }

    private static SlurmJob ran(int id, String node, String more) {
        return job(id, more).on(List.of(new NodeAllocation(node, 1)));
    }

    @Test
    void shouldTryOnFewerNodesAJobThatMayNotHaveSoMany() {
        obstacles.met(first, StartObstacle.of("QOSMaxNodePerJobLimit", List.of("n1", "n2", "n3")), NOW);

        assertThat(obstacles.waitsFor(first, NOW)).isEmpty();
        assertThat(obstacles.mostNodes(first, NOW)).isEqualTo(2);
        assertThat(obstacles.mostNodes(second, NOW)).isZero();

        obstacles.met(first, StartObstacle.of("QOSMaxNodePerJobLimit", List.of("n1", "n2")), NOW);
        assertThat(obstacles.mostNodes(first, NOW)).isEqualTo(1);
        assertThat(obstacles.mostNodes(job(1, ",\"qos\":\"other\""), NOW)).isZero();
        assertThat(obstacles.mostNodes(first, Objects.requireNonNull(obstacles.nextChange(first, NOW))))
                .isZero();
    }

    @Test
    void shouldTryOnMoreNodesAgainWhenTheLimitIsChanged() {
        SlurmJob anna = job(3, ",\"user_name\":\"anna\"");
        obstacles.met(anna, StartObstacle.of("AssocMaxNodePerJobLimit", List.of("n1", "n2")), NOW);
        assertThat(obstacles.usersThatMayBeAllowed(NOW)).containsExactly("anna");

        obstacles.allow(request -> request.user().equals("berta"), NOW);
        assertThat(obstacles.mostNodes(anna, NOW)).isEqualTo(1);
        obstacles.allow(request -> request.user().equals("anna"), NOW);

        assertThat(obstacles.mostNodes(anna, NOW)).isZero();
        assertThat(obstacles.takeEnded()).containsExactly("3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "AssocMaxNodePerJobLimit | ,\"tasks\":2,\"max_nodes\":2,\"tres_req_str\":\"cpu=2,node=2\"",
                "AssocMaxNodePerJobLimit | ,\"required_nodes\":\"n1,n2\"",
                "QOSGrpNodeLimit | ",
                "QOSMaxCpuPerJobLimit | "
            })
    void shouldWaitForALimitThatFewerNodesDoNotMeet(String reason, @Nullable String more) {
        SlurmJob job = job(4, more == null ? "" : more);

        obstacles.met(job, StartObstacle.of(reason, List.of("n1", "n2")), NOW);

        assertThat(obstacles.mostNodes(job, NOW)).isZero();
        assertThat(obstacles.waitsFor(job, NOW))
                .hasValueSatisfying(words -> assertThat(words).contains(reason));
    }

    private static SlurmJob job(int id) {
        return job(id, "");
    }

    private static SlurmJob job(int id, String more) {
        try {
            return SlurmJob.of(new ObjectMapper().readTree("{\"job_id\":" + id + ",\"submit_time\":1000" + more + "}"));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
