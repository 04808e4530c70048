package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.Ongoing;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.TaskRequirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What keeps Slurm from starting a job, and what jobs ask for, on a cluster of two racks. */
class SlurmObstaclesIT extends LiveSlurmTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    SlurmObstaclesIT() {
        super(
                Map.of("SLURM_NODES", "8", "SLURM_SITE", "mixed", "SLURM_MIN_JOB_AGE", "3600"),
                Map.of("start.timeout.ms", "3000"));
    }

    @Test
    void shouldGoOnWhenLicencesAreFreeAgain() {
        String first = cluster.submit("sleep 1000", "-L", "solver:2");
        String second = cluster.submit("sleep 1000", "-L", "solver:1");
        drive.start(first, "n1");

        RmAnswer answer = drive.start(second, "n2");

        assertThat(answer.outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertThat(answer.passing()).isTrue();
        assertThat(drive.job(second).getState()).isEqualTo(JobState.HOLD);
        assertThat(drive.job(second).getReason()).contains("Licenses");
        cluster.run("scancel", first);
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(drive.job(second).getState()).isEqualTo(JobState.IDLE));
        assertThat(drive.start(second, "n2").outcome()).isEqualTo(CommandOutcome.DONE);
    }

    /** Slurm holds such a job, until anything of it is changed. */
    @Test
    void shouldStayHeldWhenSlurmHeldItAsUnfitForItsNodes() {
        String job = cluster.submit("sleep 1000", "-C", "fast");

        RmAnswer answer = drive.start(job, "n5");

        assertThat(answer.outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertThat(answer.message()).contains("BadConstraints");
        assertThat(cluster.show(job, "Priority")).isEqualTo("0");
        assertThat(cluster.show(job, "Reason")).isEqualTo("JobHeldUser");
        assertThat(cluster.show(job, "ReqNodeList")).isEqualTo("(null)");
        assertThat(drive.job(job).getState()).isEqualTo(JobState.IDLE);
        assertThat(drive.start(job, "n1").outcome()).isEqualTo(CommandOutcome.DONE);
    }

    /** What squeue does not list, such as the GPUs of a whole job. */
    @Test
    void shouldSeeAChangeOfAWaitingJobThatTheListingDoesNotShow() {
        String job = cluster.submit("sleep 1000", "-N1", "--gpus=2");
        String array = cluster.submit("sleep 1000", "-N1", "--gpus=2", "--array=1-2");
        var asked = drive.job(job).getRequirements();
        assertThat(drive.job(array + "_2").getRequirements()).isEqualTo(asked);

        cluster.run(SlurmTestCluster.asUser("scontrol", "update", "JobId=" + job, "TresPerJob=gres:gpu:1"));
        cluster.run(SlurmTestCluster.asUser("scontrol", "update", "JobId=" + array, "TresPerJob=gres:gpu:1"));

        await().atMost(LONGEST)
                .untilAsserted(
                        () -> assertThat(drive.job(job).getRequirements()).isNotEqualTo(asked));
        await().atMost(LONGEST)
                .untilAsserted(() -> assertThat(drive.job(array + "_2").getRequirements())
                        .isEqualTo(drive.job(job).getRequirements()));
    }

    @Test
    void shouldGiveUpAStartHoweverOftenTheQueueIsListed() {
        String large = cluster.submit("sleep 1000", "-n4", "-w", "n2");
        assertThat(drive.start(large, "n2").outcome()).isEqualTo(CommandOutcome.DONE);
        String job = cluster.submit("sleep 1000");

        Execution start = rm.execute(Drive.command(9_001, CommandKind.START_JOB, job, new NodeAllocation("n2", 1)));

        await().atMost(Duration.ofSeconds(20)).pollDelay(Duration.ZERO).untilAsserted(() -> {
            rm.poll();
            CommandCheck check = ((Ongoing) start).look();
            assertThat(check.answer()).isNotNull();
            assertThat(check.answer().outcome()).isEqualTo(CommandOutcome.REFUSED);
        });
        assertThat(cluster.show(job, "Priority")).isEqualTo("0");
    }

    @Test
    void shouldTryTheOtherPartitionWhereOneDoesNotAdmitTheJob() {
        String job = cluster.submit("sleep 1000", "-p", "short,gpu", "-t", "60");
        assertThat(drive.job(job).getState()).isEqualTo(JobState.IDLE);
        RmAnswer answer = drive.start(job, "n1");

        assertThat(answer.passing()).as("%s", answer).isTrue();
        assertThat(drive.job(job).getState()).isEqualTo(JobState.IDLE);
        assertThat(drive.job(job).getExcludedHosts()).containsExactly("n1", "n2", "n3", "n4");
        assertThat(drive.start(job, "n7").outcome()).isEqualTo(CommandOutcome.DONE);
        assertThat(cluster.show(job, "Partition")).isEqualTo("gpu");
    }

    @Test
    void shouldTryAPartitionThatIsUpAgain() {
        cluster.run("scontrol", "update", "PartitionName=gpu", "State=DOWN");
        String job = cluster.submit("sleep 1000", "-p", "short,gpu", "-t", "10");
        assertThat(drive.job(job).getExcludedHosts()).isEmpty();
        drive.start(job, "n7");
        assertThat(drive.job(job).getExcludedHosts()).containsExactly("n7", "n8");

        cluster.run("scontrol", "update", "PartitionName=gpu", "State=UP");

        await().atMost(LONGEST)
                .untilAsserted(
                        () -> assertThat(drive.job(job).getExcludedHosts()).isEmpty());
        assertThat(drive.start(job, "n7").outcome()).isEqualTo(CommandOutcome.DONE);
    }

    @Test
    void shouldTryOneJobOfAPartitionThatIsDown() {
        cluster.run("scontrol", "update", "PartitionName=gpu", "State=DOWN");
        String tried = cluster.submit("sleep 1000", "-p", "gpu");
        String other = cluster.submit("sleep 1000", "-p", "gpu");
        assertThat(drive.job(other).getState()).isEqualTo(JobState.IDLE);

        assertThat(drive.start(tried, "n7").passing()).isTrue();
        await().atMost(LONGEST).untilAsserted(() -> {
            assertThat(drive.job(other).getState()).isEqualTo(JobState.HOLD);
            assertThat(drive.job(other).getReason()).contains("PartitionDown");
        });
        assertThat(drive.job(cluster.submit("sleep 1000", "-p", "gpu")).getState())
                .as("one that comes later")
                .isEqualTo(JobState.HOLD);

        cluster.run("scontrol", "update", "PartitionName=gpu", "State=UP");
        await().atMost(LONGEST)
                .untilAsserted(() -> assertThat(drive.job(other).getState()).isEqualTo(JobState.IDLE));
        assertThat(drive.start(other, "n7").outcome()).isEqualTo(CommandOutcome.DONE);
    }

    @Test
    void shouldLeaveOutANodeThatIsDrained() {
        String job = cluster.submit("sleep 1000");
        cluster.run("scontrol", "update", "NodeName=n3", "State=DRAIN", "Reason=test");
        try {
            RmAnswer answer = drive.start(job, "n3");

            assertThat(answer.passing()).as("%s", answer).isTrue();
            assertThat(drive.job(job).getState()).isEqualTo(JobState.IDLE);
            assertThat(drive.job(job).getExcludedHosts()).containsExactly("n3");
        } finally {
            cluster.run("scontrol", "update", "NodeName=n3", "State=RESUME");
        }
        await().atMost(LONGEST)
                .untilAsserted(
                        () -> assertThat(drive.job(job).getExcludedHosts()).isEmpty());
        assertThat(drive.start(job, "n4").outcome()).isEqualTo(CommandOutcome.DONE);
    }

    @Test
    void shouldSeeWhatIsChangedOfAJobThatWaits() {
        String job = cluster.submit("sleep 1000");
        JobReport before = drive.job(job);
        for (String change : List.of(
                "Features=fast",
                "MinMemoryNode=700",
                "ExcNodeList=n1",
                "ReqNodeList=n5",
                "TimeLimit=9",
                "MinCPUsNode=2")) {
            cluster.run("scontrol", "update", "JobId=" + job, change);
            JobReport after = drive.job(job);
            assertThat(after).as(change).isNotEqualTo(before);
            before = after;
        }
    }

    @Test
    void shouldTakeJobsForFeaturesThatNodesWereGivenSinceSlurmStarted() {
        cluster.run("scontrol", "update", "NodeName=n[1-8]", "AvailableFeatures=test,fast", "ActiveFeatures=test,fast");
        try {
            String named = number(cluster.submit("sleep 1000", "-C", "fast", "-w", "n5"));
            RmAnswer answer = drive.start(named, "n5");
            assertThat(answer.outcome()).as("%s", answer).isEqualTo(CommandOutcome.DONE);
            cluster.run("scancel", named);
            String everywhere = number(cluster.submit("sleep 1000", "-N8", "-C", "fast"));
            assertThat(drive.job(everywhere).getState()).isEqualTo(JobState.IDLE);
            cluster.run("scancel", everywhere);
        } finally {
            cluster.run("scontrol", "reconfigure");
        }
    }

    @Test
    void shouldSeeAPartitionThatWasMadeJustBeforeTheJob() {
        // Until no node has changed of late, so that it is not for that that they are looked at.
        rm.poll();
        await().pollDelay(Duration.ofSeconds(5)).until(() -> true);
        rm.poll();
        cluster.run("scontrol", "create", "PartitionName=fresh", "Nodes=n[1-2]", "State=UP");
        try {
            String job = cluster.submit("sleep 1000", "-p", "fresh", "--mem=100");
            assertThat(rm.poll().nodes())
                    .filteredOn(node -> node.getClasses().stream()
                            .anyMatch(partition -> partition.getName().equals("fresh")))
                    .extracting(NodeReport::getNodeId)
                    .containsExactly("n1", "n2");
            assertThat(drive.start(job, "n1").outcome()).isEqualTo(CommandOutcome.DONE);
        } finally {
            cluster.run("scancel", "--user=nobody");
            await().atMost(LONGEST)
                    .until(() -> cluster.run("squeue", "--noheader").isBlank());
            cluster.run("scontrol", "delete", "PartitionName=fresh");
        }
    }

    @Test
    void shouldSeeSoonHowMuchOfANodeAPartitionGives() {
        assertThat(capOfShort()).isNull();
        cluster.run("scontrol", "update", "PartitionName=short", "MaxCPUsPerNode=2");
        try {
            await().atMost(LONGEST).until(() -> Long.valueOf(2).equals(capOfShort()));
        } finally {
            cluster.run("scontrol", "update", "PartitionName=short", "MaxCPUsPerNode=UNLIMITED");
        }
        await().atMost(LONGEST).until(() -> capOfShort() == null);
    }

    private @Nullable Long capOfShort() {
        return drive.node("n1").getGres().stream()
                .filter(resource -> resource.getName().equals("MaxCPUsPerNode:short"))
                .map(NameCount::getCount)
                .findFirst()
                .orElse(null);
    }

    /** Returns the job of what sbatch said, which is behind the words of the plug-in. */
    private static String number(String said) {
        assertThat(said).contains("the job waits until");
        return said.substring(said.lastIndexOf('\n') + 1);
    }

    @Test
    void shouldKeepJobsFromAMaintenanceWindow() {
        String longer = cluster.submit("sleep 1000", "-t", "60");
        String shorter = cluster.submit("sleep 1000", "-t", "5");
        assertThat(drive.job(longer).getExcludedHosts()).isEmpty();
        cluster.run(
                "scontrol",
                "create",
                "reservation",
                "ReservationName=service",
                "StartTime=now+20minutes",
                "Duration=60",
                "Users=root",
                "Flags=MAINT",
                "Nodes=n[1-2]");
        try {
            assertThat(drive.job(longer).getExcludedHosts()).containsExactly("n1", "n2");
            assertThat(drive.job(longer).getExcludedForNow()).isTrue();
            assertThat(drive.job(shorter).getExcludedHosts()).isEmpty();
            assertThat(drive.start(shorter, "n1").outcome()).isEqualTo(CommandOutcome.DONE);
        } finally {
            cluster.run("scontrol", "delete", "ReservationName=service");
        }
        assertThat(drive.job(longer).getExcludedHosts()).isEmpty();
        assertThat(drive.job(longer).getExcludedForNow()).isFalse();
        assertThat(drive.start(longer, "n2").outcome()).isEqualTo(CommandOutcome.DONE);
    }

    @Test
    void shouldStartAJobOfAFlexibleReservationAnywhereAndBeforeItBegins() {
        cluster.run(
                "scontrol",
                "create",
                "reservation",
                "ReservationName=loose",
                "StartTime=now+20minutes",
                "Duration=60",
                "Users=root,nobody",
                "Flags=FLEX",
                "Nodes=n6");
        try {
            String job = cluster.submit("sleep 1000", "-t", "5", "--reservation=loose");
            assertThat(drive.job(job).getState()).isEqualTo(JobState.IDLE);
            assertThat(drive.job(job).getHosts()).isEmpty();
            assertThat(drive.start(job, "n4").outcome()).isEqualTo(CommandOutcome.DONE);
        } finally {
            cluster.run("scancel", "--user=nobody");
            await().atMost(LONGEST)
                    .until(() -> cluster.run("squeue", "--noheader").isBlank());
            cluster.run("scontrol", "delete", "ReservationName=loose");
        }
    }

    @Test
    void shouldStartAJobOfAReservationForAnyNodesAnywhereOnceItHasBegun() {
        reserve("wide", "StartTime=now", "Users=nobody", "Nodes=n6", "Flags=ANY_NODES");
        try {
            String job = cluster.submit("sleep 1000", "-N2", "-t", "5", "--reservation=wide");
            assertThat(drive.job(job).getState()).isEqualTo(JobState.IDLE);
            assertThat(drive.job(job).getHosts()).isEmpty();
            assertThat(drive.start(job, "n4", "n5").outcome()).isEqualTo(CommandOutcome.DONE);
        } finally {
            endAllAndDelete("wide");
        }
    }

    @Test
    void shouldStartAJobInsideTheReservationItNames() {
        cluster.run(
                "scontrol",
                "create",
                "reservation",
                "ReservationName=course",
                "StartTime=now",
                "Duration=60",
                "Users=root,nobody",
                "Nodes=n6");
        try {
            String inside = cluster.submit("sleep 1000", "--reservation=course");
            String outside = cluster.submit("sleep 1000");
            assertThat(drive.job(inside).getHosts()).containsExactly("n6");
            assertThat(drive.job(outside).getExcludedHosts()).containsExactly("n6");
            assertThat(drive.start(inside, "n6").outcome()).isEqualTo(CommandOutcome.DONE);
            cluster.run("scancel", inside);
            await().until(() ->
                    !cluster.run("squeue", "-h", "-j", inside, "-o", "%T").contains("RUNNING"));
        } finally {
            cluster.run("scancel", "--user=nobody");
            await().atMost(LONGEST)
                    .until(() -> cluster.run("squeue", "--noheader").isBlank());
            cluster.run("scontrol", "delete", "ReservationName=course");
        }
    }

    private void reserve(String name, String... more) {
        List<String> words =
                new ArrayList<>(List.of("scontrol", "create", "reservation", "ReservationName=" + name, "Duration=60"));
        words.addAll(List.of(more));
        cluster.run(words);
    }

    private void endAllAndDelete(String... reservations) {
        cluster.run("scancel", "--user=nobody");
        await().atMost(LONGEST).until(() -> cluster.run("squeue", "--noheader").isBlank());
        for (String name : reservations) {
            cluster.run("scontrol", "delete", "ReservationName=" + name);
        }
    }

    @Test
    void shouldUseTheCoresThatAReservationOfCoresLeaves() {
        reserve("cores", "StartTime=now", "Users=root", "Nodes=n2", "CoreCnt=2");
        try {
            String fits = cluster.submit("sleep 1000", "-n2", "-w", "n2");
            String large = cluster.submit("sleep 1000", "-c3");
            assertThat(drive.job(fits).getExcludedHosts()).isEmpty();
            assertThat(drive.job(large).getExcludedHosts()).containsExactly("n2");
            assertThat(drive.start(fits, "n2").outcome()).isEqualTo(CommandOutcome.DONE);
        } finally {
            endAllAndDelete("cores");
        }
    }

    @Test
    void shouldStartAJobInThatOfItsReservationsThatHasBegun() {
        reserve("later", "StartTime=now+30minutes", "Users=nobody", "Nodes=n7");
        reserve("current", "StartTime=now", "Users=nobody", "Nodes=n6");
        try {
            String job = cluster.submit("sleep 1000", "-n4", "-t1", "--reservation=later,current");
            assertThat(drive.job(job).getState()).isEqualTo(JobState.IDLE);
            assertThat(drive.job(job).getHosts()).containsExactly("n6");
            assertThat(drive.job(job).getExcludedHosts()).isEmpty();
            assertThat(drive.start(job, "n6").outcome()).isEqualTo(CommandOutcome.DONE);
        } finally {
            endAllAndDelete("later", "current");
        }
    }

    @Test
    void shouldRefuseWhatTheReservationsThatAJobNamesCouldNeverHold() {
        reserve("one", "StartTime=now", "Users=nobody", "Nodes=n1");
        reserve("other", "StartTime=now", "Users=nobody", "Nodes=n2");
        reserve("loose", "StartTime=now", "Users=nobody", "Nodes=n3", "Flags=FLEX");
        try {
            assertThatThrownBy(() -> cluster.submit("sleep 1", "-N2", "--reservation=one,other"))
                    .hasMessageContaining("2 nodes were asked for; the partition has in reservation");
            assertThatThrownBy(() -> cluster.submit("sleep 1", "-p", "gpu", "--reservation=one"))
                    .hasMessageContaining("the partition has in reservation one 0");
            assertThat(drive.job(cluster.submit("sleep 1000", "-n4", "--reservation=one,other"))
                            .getState())
                    .isEqualTo(JobState.IDLE);
            assertThat(drive.job(cluster.submit("sleep 1000", "-N2", "--reservation=loose"))
                            .getState())
                    .isEqualTo(JobState.IDLE);
        } finally {
            endAllAndDelete("one", "other", "loose");
        }
    }

    @Test
    void shouldAdmitToAMagneticReservationWhomItIsFor() {
        reserve("magnet", "StartTime=now", "Users=nobody", "Nodes=n8", "Flags=MAGNETIC");
        try {
            String job = cluster.submit("sleep 1000", "-n4", "-t1", "-w", "n8");
            assertThat(drive.job(job).getExcludedHosts()).isEmpty();
            assertThat(drive.start(job, "n8").outcome()).isEqualTo(CommandOutcome.DONE);
        } finally {
            endAllAndDelete("magnet");
        }
    }

    @Test
    void shouldStartAJobThatIsLongerThanTheMagneticReservation() {
        reserve("magnet", "StartTime=now", "Users=nobody", "Nodes=n8", "Flags=MAGNETIC");
        try {
            String longer = cluster.submit("sleep 1000", "-n4", "-t90");
            assertThat(drive.job(longer).getExcludedHosts()).isEmpty();
            assertThat(drive.start(longer, "n8").outcome()).isEqualTo(CommandOutcome.DONE);
        } finally {
            endAllAndDelete("magnet");
        }
    }

    @Test
    void shouldHaveJobsOfSeveralNodesOnOneSideOfAMagneticReservation() {
        reserve("magnet", "StartTime=now", "Users=nobody", "Nodes=n[7-8]", "Flags=MAGNETIC");
        try {
            String inside = cluster.submit("sleep 1000", "-N2");
            String outside = cluster.submit("sleep 1000", "-N2");
            assertThat(drive.job(inside).getExtension())
                    .startsWith("nodeset:ONEOF:FEATURE:reservation/magnet,reservation/none;");
            assertThat(drive.node("n8").getFeatures()).contains("reservation/magnet");
            assertThat(drive.node("n1").getFeatures()).contains("reservation/none");
            assertThat(drive.start(inside, "n7", "n8").outcome()).isEqualTo(CommandOutcome.DONE);
            assertThat(drive.start(outside, "n1", "n2").outcome()).isEqualTo(CommandOutcome.DONE);
        } finally {
            endAllAndDelete("magnet");
        }
    }

    @Test
    void shouldCountNoReservedLicencesAsFree() {
        reserve("spares", "StartTime=now", "Users=root", "Flags=LICENSE_ONLY,ANY_NODES", "Licenses=solver:1");
        try {
            String job = cluster.submit("sleep 1000", "-L", "solver:2");
            assertThat(drive.start(job, "n2").passing()).isTrue();
            assertThat(drive.job(job).getState()).isEqualTo(JobState.HOLD);
            assertThat(drive.job(job).getState()).as("the others are not free").isEqualTo(JobState.HOLD);
        } finally {
            endAllAndDelete("spares");
        }
    }

    @Test
    void shouldTellANodeOfAReservationThatARunningJobIsNotToGet() {
        String job = cluster.submit("sleep 1000", "-N2");
        assertThat(drive.start(job, "n1", "n2").outcome()).isEqualTo(CommandOutcome.DONE);
        assertThat(drive.job(job).getExcludedHosts()).isEmpty();
        reserve("others", "StartTime=now", "Users=root", "Nodes=n4");
        try {
            assertThat(drive.job(job).getExcludedHosts()).containsExactly("n4");
            assertThat(drive.job(job).getExcludedForNow()).isTrue();
        } finally {
            endAllAndDelete("others");
        }
    }

    @Test
    void shouldTellRequestsInFull() {
        TaskRequirement exact = only(cluster.submit("sleep 9", "-N2", "-n4"));
        assertThat(exact.getLeastNodes()).isEqualTo(2);
        assertThat(exact.getMostNodes()).isEqualTo(2);
        TaskRequirement spread = only(cluster.submit("sleep 9", "--spread-job", "-n3"));
        assertThat(spread.getMostNodes()).isEqualTo(3);
        assertThat(only(cluster.submit("sleep 9", "-n4", "--ntasks-per-node=2")).getMostTasksPerNode())
                .isEqualTo(2);
        assertThat(only(cluster.submit("sleep 9", "-C", "fast|slow")).getFeatures())
                .containsExactly("fast|slow");
        JobReport partitions = drive.job(cluster.submit("sleep 9", "-p", "short,batch"));
        assertThat(partitions.getJobClass()).isEqualTo("short");
        assertThat(partitions.getOtherClasses()).containsExactly("batch");
        assertThat(drive.start(partitions.getJobId(), "n6").outcome()).isEqualTo(CommandOutcome.DONE);
        drive.carryOut(CommandKind.REQUEUE_JOB, partitions.getJobId());
        assertThat(drive.job(partitions.getJobId()).getOtherClasses()).containsExactly("batch");
        assertThat(drive.start(partitions.getJobId(), "n1").outcome()).isEqualTo(CommandOutcome.DONE);
        assertThat(cluster.show(partitions.getJobId(), "Partition")).isEqualTo("short");
        JobReport excluding = drive.job(cluster.submit("sleep 9", "-x", "n[1-3]"));
        assertThat(excluding.getExcludedHosts()).containsExactly("n1", "n2", "n3");
        assertThat(drive.start(excluding.getJobId(), "n4").outcome()).isEqualTo(CommandOutcome.DONE);
        JobReport preferring = drive.job(cluster.submit("sleep 9", "--prefer=fast"));
        assertThat(preferring.getPreference()).isEqualTo("feature:fast");
        assertThat(drive.start(preferring.getJobId(), "n5").outcome())
                .as("a preference is no demand")
                .isEqualTo(CommandOutcome.DONE);
    }

    private TaskRequirement only(String job) {
        List<TaskRequirement> requirements = drive.job(job).getRequirements();
        assertThat(requirements).hasSize(1);
        return requirements.get(0);
    }
}
