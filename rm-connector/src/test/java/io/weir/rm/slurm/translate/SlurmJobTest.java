package io.weir.rm.slurm.translate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.rm.slurm.client.PartitionCaps;
import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmNode;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.TaskRequirement;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs in the dialects of several REST versions, and their translation. */
class SlurmJobTest {
    static {
        AvroTrust.install();
    }

    private static final Instant NOW = Instant.ofEpochSecond(2000);

    private final NodePartitions nodes = new NodePartitions();
    private final StartObstacles obstacles = new StartObstacles();
    private final SlurmJobTranslation translation = new SlurmJobTranslation("c1", false, obstacles, nodes);

    private static SlurmJob job(String fields) {
        try {
            return SlurmJob.of(new ObjectMapper().readTree("{\"job_id\":17,\"submit_time\":1000," + fields + "}"));
        } catch (JsonProcessingException e) {
            throw new AssertionError(fields, e);
        }
    }

    private JobReport report(String fields) {
        return translation.report(job(fields), NOW);
    }

    private static String pending(String more) {
        return "\"job_state\":\"PENDING\",\"state_reason\":\"JobHeldUser\",\"priority\":0" + more;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "null | 3162240000",
                "{\"set\":true,\"infinite\":true,\"number\":0} | 3162240000",
                "{\"set\":false,\"infinite\":true,\"number\":0} | 3162240000",
                "{\"set\":true,\"infinite\":false,\"number\":7} | 420",
                "{\"set\":false,\"infinite\":false,\"number\":0} |"
            })
    void shouldTellAnUnlimitedTimeLimitFromNone(String limit, Long seconds) {
        assertThat(report(pending(",\"time_limit\":" + limit)).getWalltimeSeconds())
                .isEqualTo(seconds);
        assertThat(report(pending("")).getWalltimeSeconds()).isNull();
    }

    @Test
    void shouldTakeANiceValueForAPriorityOfTheOwner() {
        assertThat(report(pending(",\"nice\":100")).getUserPriority()).isEqualTo(-100);
        assertThat(report(pending(",\"nice\":-7")).getUserPriority()).isEqualTo(7);
        assertThat(report(pending(",\"nice\":4294967276")).getUserPriority()).isEqualTo(20);
        assertThat(report(pending(",\"nice\":2147483645")).getUserPriority()).isEqualTo(-2147483645);
        assertThat(report(pending(",\"nice\":-99999999999")).getUserPriority()).isEqualTo(Integer.MAX_VALUE);
        assertThat(report(pending(",\"nice\":null")).getUserPriority()).isZero();
    }

    @Test
    void shouldAskForNodesThatFollowOneAnother() {
        assertThat(report(pending(",\"contiguous\":true")).getExtension()).isEqualTo("nallocpolicy:CONTIGUOUS");
        assertThat(report(pending(",\"contiguous\":false")).getExtension()).isNull();
    }

    @Test
    void shouldAskForOtherNodesBesidesThoseNamed() {
        String two = ",\"tasks\":2,\"required_nodes\":\"n3\",\"max_nodes\":2,\"tres_req_str\":\"cpu=2,node=2\"";

        JobReport report = report(pending(two));

        assertThat(report.getState()).isEqualTo(JobState.IDLE);
        assertThat(report.getHosts()).isEmpty();
        assertThat(report.getRequirements())
                .extracting(TaskRequirement::getRequiredHosts)
                .containsExactly(List.of("n3"));
        JobReport named = report(pending(two.replace("n3", "n[3-4]")));
        assertThat(named.getHosts()).containsExactly("n3", "n4");
        assertThat(named.getRequirements())
                .extracting(TaskRequirement::getRequiredHosts)
                .containsExactly(List.of());
    }

    @Test
    void shouldGiveEachNodeATaskWhereThereAreToBeMoreNodesThanTasks() {
        String two = ",\"tasks\":1,\"cpus_per_task\":3,\"tres_req_str\":\"cpu=3,mem=300M,node=2,billing=3\"";

        JobReport report = report(pending(two));

        assertThat(report.getTasks()).isEqualTo(2);
        assertThat(report.getProcsPerTask()).isEqualTo(3);
        assertThat(report.getRequirements())
                .singleElement()
                .satisfies(
                        requirement -> assertThat(requirement.getLeastNodes()).isEqualTo(2));
    }

    @Test
    void shouldLeaveOutNodesWithFewerSocketsCoresOrThreadsThanAskedFor() {
        String node = "{\"name\":\"%s\",\"cpus\":8,\"sockets\":%d,\"cores\":%d,\"threads\":%d}";
        assertThat(nodes.see(
                        List.of(slurmNode(node.formatted("n1", 2, 2, 2)), slurmNode(node.formatted("n2", 1, 8, 1)))))
                .isTrue();
        assertThat(nodes.see(
                        List.of(slurmNode(node.formatted("n1", 2, 2, 2)), slurmNode(node.formatted("n2", 1, 8, 1)))))
                .isFalse();

        assertThat(report(pending(",\"excluded_nodes\":\"n7\",\"sockets_per_node\":2"))
                        .getExcludedHosts())
                .containsExactly("n7", "n2");
        assertThat(report(pending(",\"sockets_per_node\":1,\"cores_per_socket\":3"))
                        .getExcludedHosts())
                .containsExactly("n1");
        assertThat(report(pending(",\"threads_per_core\":2")).getExcludedHosts())
                .containsExactly("n2");
        assertThat(report(pending(",\"threads_per_core\":2")).getExcludedForNow())
                .isTrue();
        assertThat(report(pending(",\"sockets_per_node\":65534,\"cores_per_socket\":null"))
                        .getExcludedHosts())
                .isEmpty();
    }

    @Test
    void shouldNotBeImpossibleForWantOfFeaturesThatNodesMayBeGiven() {
        assertThat(report(pending("")).getExcludedForNow()).isFalse();
        assertThat(report(pending(",\"features\":\"fast\"")).getExcludedForNow())
                .isTrue();
        assertThat(report(pending(",\"features\":\"[rack1|rack2]\"")).getExcludedForNow())
                .isTrue();
    }

    @Test
    void shouldLeaveToSlurmWhatTheClusterEndsForADependencyThatFails() {
        translation.configured("DependencyParameters    = (null)\nSchedulerParameters     = kill_invalid_depend\n");
        QueueLine failed =
                QueueLines.parse(QueueLines.line("%A", "12", "%T", "FAILED")).get("12");
        SlurmJob job = job(pending(",\"dependency\":\"afterok:12(unfulfilled)\""));
        translation.see(List.of(failed), List.of(new KnownJob(null, job, translation.report(job, NOW), null)));
        assertThat(translation.isHopeless(job)).isFalse();

        translation.configured("DependencyParameters    = max_depend_depth=5,kill_invalid_depend\n");
        assertThat(translation.isHopeless(job)).isTrue();
        assertThat(translation.isHopeless(
                        job(pending(",\"dependency\":\"afterok:12(unfulfilled)\",\"flags\":[\"NO_KILL_INV_DEP\"]"))))
                .isFalse();
    }

    @Test
    void shouldTellWhereAScriptRuns() {
        String running = "\"job_state\":\"RUNNING\",\"nodes\":\"n[3-4]\",\"batch_host\":\"n4\",\"batch_flag\":%s,"
                + "\"job_resources\":{\"allocated_nodes\":[{\"nodename\":\"n3\"},{\"nodename\":\"n4\"}]}";

        assertThat(report(running.formatted("true")).getScriptNode()).isEqualTo("n4");
        assertThat(report(running.formatted("false")).getScriptNode()).isNull();
        assertThat(report(running.formatted("true").replace("RUNNING", "PENDING"))
                        .getScriptNode())
                .isNull();
    }

    @Test
    void shouldReadRunningJobOfVersion38() {
        JobReport report = report(
                "\"job_state\":\"RUNNING\",\"start_time\":1500,\"end_time\":5100,\"nodes\":\"n[3-4]\","
                        + "\"tasks\":4,\"cpus\":8,\"time_limit\":60,\"tres_req_str\":\"cpu=8,mem=400M,node=2\","
                        + "\"job_resources\":{\"allocated_nodes\":["
                        + "{\"nodename\":\"n4\",\"sockets\":{\"0\":{\"cores\":{\"0\":\"allocated\"}}}},"
                        + "{\"nodename\":\"n3\",\"sockets\":{\"0\":{\"cores\":{\"0\":\"a\",\"1\":\"a\"}},\"1\":{\"cores\":{\"0\":\"a\"}}}}]}");

        assertThat(report.getState()).isEqualTo(JobState.RUNNING);
        assertThat(report.getStartTime()).isEqualTo(Instant.ofEpochSecond(1500));
        assertThat(report.getEndTime()).isNull();
        assertThat(report.getTasks()).isEqualTo(4);
        assertThat(report.getProcsPerTask()).isEqualTo(2);
        assertThat(report.getWalltimeSeconds()).isEqualTo(3600);
        assertThat(report.getAllocation())
                .as("four cores of two threads")
                .containsExactly(new NodeAllocation("n3", 6), new NodeAllocation("n4", 2));
    }

    /** Where processors are given (CR_CPU), Slurm counts those of a core that a job uses. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | \"allocated_nodes\":[{\"nodename\":\"n3\",\"sockets\":{\"0\":{\"cores\":{\"1\":\"a\"}}}}] | 2",
                "3 | \"allocated_nodes\":[{\"nodename\":\"n3\",\"sockets\":{\"0\":{\"cores\":{\"0\":\"a\",\"1\":\"a\"}}}}] | 4",
                "1 | \"nodes\":{\"allocation\":[{\"name\":\"n3\",\"cpus\":{\"count\":1},\"sockets\":[{\"index\":0,\"cores\":["
                        + "{\"index\":0,\"status\":[\"UNALLOCATED\"]},{\"index\":1,\"status\":[\"ALLOCATED\"]}]}]}]} | 2"
            })
    void shouldCountTheCoresOfARunningJobWhole(int cpus, String resources, int procs) {
        nodes.see(List.of(slurmNode("{\"name\":\"n3\",\"cpus\":8,\"threads\":2,\"cores\":2,\"sockets\":2}")));

        JobReport report = report("\"job_state\":[\"RUNNING\"],\"start_time\":1500,\"nodes\":\"n3\",\"cpus\":" + cpus
                + ",\"threads_per_core\":1,\"job_resources\":{" + resources + "}");

        assertThat(report.getAllocation()).containsExactly(new NodeAllocation("n3", procs));
    }

    @Test
    void shouldAskForNoMoreNodesThanALimitAdmits() {
        String node = "{\"name\":\"%s\",\"cpus\":4,\"threads\":1,\"partitions\":[\"batch\"]}";
        nodes.see(List.of(slurmNode(node.formatted("n1")), slurmNode(node.formatted("n2"))));
        String four = pending(",\"partition\":\"batch\",\"tasks\":4,\"tres_req_str\":\"cpu=4,node=1\"");
        assertThat(report(four).getRequirements())
                .extracting(TaskRequirement::getMostNodes)
                .containsExactly(0);

        obstacles.met(job(four), StartObstacle.of("AssocMaxNodePerJobLimit", List.of("n1", "n2")), NOW);

        JobReport limited = report(four);
        assertThat(limited.getState()).isEqualTo(JobState.IDLE);
        assertThat(limited.getExcludedForNow()).as("the limit may be raised").isTrue();
        assertThat(limited.getRequirements())
                .extracting(TaskRequirement::getMostNodes)
                .containsExactly(1);
    }

    @Test
    void shouldHoldAJobThatTakesMoreNodesThanALimitAdmits() {
        nodes.see(List.of(slurmNode("{\"name\":\"n1\",\"cpus\":4,\"threads\":1,\"partitions\":[\"batch\"]}")));
        String six = pending(",\"partition\":\"batch\",\"tasks\":6,\"tres_req_str\":\"cpu=6,node=1\"");

        obstacles.met(job(six), StartObstacle.of("AssocMaxNodePerJobLimit", List.of("n1", "n2")), NOW);

        assertThat(report(six).getState()).isEqualTo(JobState.HOLD);
        assertThat(report(six).getReason()).contains("AssocMaxNodePerJobLimit");
    }

    private static SlurmNode slurmNode(String json) {
        try {
            return SlurmNode.of(new ObjectMapper().readTree(json));
        } catch (JsonProcessingException e) {
            throw new AssertionError(json, e);
        }
    }

    @Test
    void shouldReadRunningJobOfVersion40() {
        JobReport report = report(
                "\"job_state\":[\"RUNNING\"],\"start_time\":{\"set\":true,\"infinite\":false,\"number\":1500},"
                        + "\"nodes\":\"n3\",\"tasks\":{\"set\":true,\"number\":2},\"cpus_per_task\":{\"set\":true,\"number\":1},"
                        + "\"time_limit\":{\"set\":true,\"infinite\":true,\"number\":0},\"priority\":{\"set\":true,\"number\":7},"
                        + "\"array_job_id\":{\"set\":true,\"number\":0},"
                        + "\"job_resources\":{\"nodes\":{\"count\":1,\"allocation\":[{\"name\":\"n3\",\"cpus\":{\"count\":2,\"used\":0}}]}}");

        assertThat(report.getState()).isEqualTo(JobState.RUNNING);
        assertThat(report.getStartTime()).isEqualTo(Instant.ofEpochSecond(1500));
        assertThat(report.getWalltimeSeconds()).isEqualTo(3_162_240_000L);
        assertThat(report.getAllocation()).containsExactly(new NodeAllocation("n3", 2));
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING, IDLE",
        "CONFIGURING, RUNNING",
        "RUNNING, RUNNING",
        "RESIZING, RUNNING",
        "COMPLETING, RUNNING",
        "SUSPENDED, SUSPENDED",
        "COMPLETED, COMPLETED",
        "CANCELLED, CANCELLED",
        "TIMEOUT, CANCELLED",
        "PREEMPTED, CANCELLED",
        "DEADLINE, CANCELLED",
        "FAILED, FAILED",
        "NODE_FAIL, FAILED",
        "BOOT_FAIL, FAILED",
        "OUT_OF_MEMORY, FAILED"
    })
    void shouldTranslateState(String slurm, JobState weir) {
        assertThat(report("\"job_state\":\"" + slurm + "\"").getState()).isEqualTo(weir);
        assertThat(report("\"job_state\":[\"" + slurm + "\"]").getState()).isEqualTo(weir);
    }

    @Test
    void shouldCallJobRunningWhileItLeavesItsNodes() {
        assertThat(report("\"job_state\":[\"CANCELLED\",\"COMPLETING\"],\"end_time\":1900")
                        .getState())
                .isEqualTo(JobState.RUNNING);
    }

    @Test
    void shouldTellWhyJobEnded() {
        assertThat(report("\"job_state\":\"TIMEOUT\"").getReason()).isEqualTo("WALLCLOCK");
        assertThat(report("\"job_state\":\"NODE_FAIL\"").getReason()).isEqualTo("NODE_FAIL");
        assertThat(report("\"job_state\":\"FAILED\",\"nodes\":\"n1\",\"exit_code\":768")
                        .getExitCode())
                .isEqualTo(3);
        assertThat(report("\"job_state\":\"FAILED\",\"nodes\":\"n1\",\"exit_code\":9")
                        .getExitCode())
                .isEqualTo(137);
        assertThat(report(
                                "\"job_state\":[\"FAILED\"],\"nodes\":\"n1\",\"exit_code\":{\"return_code\":{\"set\":true,\"number\":3}}")
                        .getExitCode())
                .isEqualTo(3);
        assertThat(report("\"job_state\":\"FAILED\",\"nodes\":\"n1\","
                                + "\"exit_code\":{\"set\":true,\"infinite\":false,\"number\":768}")
                        .getExitCode())
                .as("version 39")
                .isEqualTo(3);
    }

    @Test
    void shouldNotTellStartOfJobCancelledInTheQueue() {
        JobReport report = report("\"job_state\":\"CANCELLED\",\"start_time\":1900,\"end_time\":1900,\"nodes\":\"\"");

        assertThat(report.getStartTime()).isNull();
        assertThat(report.getExitCode()).isNull();
        assertThat(report.getEndTime()).isEqualTo(Instant.ofEpochSecond(1900));
    }

    @Test
    void shouldTellWhoKeepsJobBack() {
        assertThat(report(pending("")))
                .extracting(JobReport::getState, JobReport::getReason)
                .containsExactly(JobState.IDLE, null);
        assertHeld(pending(",\"comment\":\"[held by user] mine\""), "user");
        assertHeld(pending(",\"admin_comment\":\"[weir hold=c/1/0@0]\""), "Weir");
        assertHeld("\"job_state\":\"PENDING\",\"state_reason\":\"JobHeldAdmin\",\"priority\":0", "administrator");
        assertHeld(pending(",\"dependency\":\"afterok:2(unfulfilled)\""), "afterok:2");
        assertHeld(pending(",\"eligible_time\":2001"), "begins at");
    }

    @Test
    void shouldTellWhetherTheOwnerMayReleaseTheHold() {
        String byAdministrator = "\"job_state\":\"PENDING\",\"state_reason\":\"JobHeldAdmin\",\"priority\":0";

        assertThat(report(byAdministrator).getOwnerMayRelease()).isFalse();
        assertThat(report(pending(",\"comment\":\"[held by user] mine\"")).getOwnerMayRelease())
                .isTrue();
        assertThat(report(pending("")).getOwnerMayRelease()).isTrue();
    }

    private void assertHeld(String fields, String reason) {
        assertThat(report(fields).getState()).isEqualTo(JobState.HOLD);
        assertThat(report(fields).getReason()).contains(reason);
    }

    @Test
    void shouldTellWhetherTheSubmissionTimeIsThatOfARequeue() {
        assertThat(report(pending("")).getOriginalSubmitTime()).isTrue();
        assertThat(report(pending(",\"restart_cnt\":1")).getOriginalSubmitTime())
                .isFalse();
    }

    @Test
    void shouldTakeRequeuedJobForIdleUnlessItsUserGaveItATime() {
        String later = ",\"restart_cnt\":1,\"eligible_time\":2100,\"admin_comment\":\"[weir,%s]\"";

        assertThat(report(pending(later.formatted("start=c/1@0,asked=n%3A1-0%3Bk%3A1")))
                        .getState())
                .as("Slurm gave it one when it put it back")
                .isEqualTo(JobState.IDLE);
        assertHeld(pending(later.formatted("start=c/1@0,restored=n%3A1-0%3Bk%3A1")), "begins at");
    }

    @Test
    void shouldHaveNodesToItselfWithAllTheirMemory() {
        assertThat(report(pending("")).getNodeAccess()).isNull();

        nodes.see(MemoryRule.COUNTED, PartitionCaps.NONE);
        assertThat(report(pending("")).getNodeAccess()).isEqualTo("SINGLEJOB");
        assertThat(report("\"job_state\":\"RUNNING\",\"nodes\":\"n3\",\"memory_per_node\":null")
                        .getNodeAccess())
                .isEqualTo("SINGLEJOB");
        for (String memory : List.of(
                "\"memory_per_node\":100",
                "\"memory_per_cpu\":100",
                "\"memory_per_tres\":\"gres:gpu:100\",\"tres_per_node\":\"gres:gpu:1\"")) {
            assertThat(report(pending("," + memory)).getNodeAccess()).as(memory).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "part, '\"tasks\":3', 1",
        "part, '\"tasks\":2,\"cpus_per_task\":2', 2",
        // A single task gets whole cores.
        "cores, '\"tasks\":1', 2",
        "'part,batch', '\"tasks\":3', 0",
        "batch, '\"tasks\":3', 0"
    })
    void shouldCountProcessorsOfWhichAPartitionGivesOnlySome(String partition, String fields, long procs) {
        nodes.see(List.of(
                slurmNode("{\"name\":\"n1\",\"cpus\":4,\"cores\":2,\"threads\":2,\"partitions\":[\"cores\"]}")));
        nodes.see(MemoryRule.UNKNOWN, new PartitionCaps(Map.of("part", 2, "cores", 2)));

        JobReport report = report(pending(",\"partition\":\"" + partition + "\"," + fields));
        assertThat(report.getRequirements().stream().flatMap(each -> each.getGres().stream()))
                .containsExactlyElementsOf(
                        procs == 0 ? List.of() : List.of(new NameCount("MaxCPUsPerNode:" + partition, procs)));
    }

    @ParameterizedTest
    @CsvSource({
        // In one partition no node has more than the resource that stands for the cap.
        "part, 1, 0",
        "'part,less', 1, 2",
        "'part,less', 2, 1",
        "'less,part', 3, 1",
        "'part,batch', 2, 0"
    })
    void shouldHaveNoMoreTasksOnANodeThanAnyOfSeveralPartitionsGives(String partitions, int cpus, int most) {
        nodes.see(MemoryRule.UNKNOWN, new PartitionCaps(Map.of("part", 2, "less", 1)));

        JobReport report = report(pending(
                ",\"partition\":\"" + partitions + "\",\"tasks\":4,\"memory_per_cpu\":10,\"cpus_per_task\":" + cpus));
        assertThat(report.getRequirements().get(0).getMostTasksPerNode()).isEqualTo(most);
    }

    @Test
    void shouldTryNoPartitionThatGivesLessOfANodeThanTheJobHasThere() {
        nodes.see(List.of(slurmNode("{\"name\":\"n1\",\"cpus\":4,\"partitions\":[\"part\",\"less\",\"batch\"]}")));
        nodes.see(MemoryRule.UNKNOWN, new PartitionCaps(Map.of("part", 2, "less", 1)));
        List<String> asked = List.of("less", "part", "batch");

        assertThat(nodes.having(List.of(new NodeAllocation("n1", 1)), asked)).isEqualTo(asked);
        assertThat(nodes.having(List.of(new NodeAllocation("n1", 2)), asked)).containsExactly("part", "batch");
        assertThat(nodes.having(List.of(new NodeAllocation("n1", 3)), asked)).containsExactly("batch");
        assertThat(nodes.having(List.of(new NodeAllocation("n1", 3)), List.of("less", "part")))
                .as("Slurm says what is wrong")
                .containsExactly("less", "part");
    }

    @Test
    void shouldKnowTheNodesOfPartitionsThatAreClosedToAJob() {
        nodes.see(List.of(
                slurmNode("{\"name\":\"n1\",\"cpus\":4,\"partitions\":[\"a\",\"others\"]}"),
                slurmNode("{\"name\":\"n2\",\"cpus\":4,\"partitions\":[\"a\",\"b\"]}"),
                slurmNode("{\"name\":\"n3\",\"cpus\":4,\"partitions\":[\"b\"]}"),
                slurmNode("{\"name\":\"n4\",\"cpus\":4,\"partitions\":[\"others\"]}")));

        assertThat(nodes.closed(List.of("a", "b"), Set.of("a"))).containsExactly("n1");
        assertThat(nodes.closed(List.of("a", "b"), Set.of("a", "b"))).containsExactlyInAnyOrder("n1", "n2", "n3");
        assertThat(nodes.closed(List.of("a", "b"), Set.of())).isEmpty();
    }

    @Test
    void shouldTakeARequeueInHeldStateForAHoldUnlessItIsWeirs() {
        String requeued = ",\"state_description\":\"job requeued in held state\",\"restart_cnt\":2";

        assertHeld(pending(requeued), "requeued in held state");
        assertHeld(pending(requeued).replace("PENDING", "SPECIAL_EXIT"), "requeued in held state");
        assertHeld(pending(",\"restart_cnt\":1").replace("PENDING", "SPECIAL_EXIT"), "requeued in held state");
        assertThat(report(pending(requeued)).getOwnerMayRelease()).isTrue();
        assertThat(report(pending(requeued + ",\"admin_comment\":\"[weir,requeue=c/1/0@1]\""))
                        .getState())
                .isEqualTo(JobState.IDLE);
        assertHeld(pending(requeued + ",\"admin_comment\":\"[weir,requeue=c/1/0@0]\""), "requeued in held state");
        assertThat(report(pending(requeued + ",\"admin_comment\":\"[weir,reqheld=@2]\""))
                        .getState())
                .as("marked as its user's hold, and released")
                .isEqualTo(JobState.IDLE);
        assertHeld(pending(requeued + ",\"admin_comment\":\"[weir,reqheld=@1]\""), "requeued in held state");
    }

    @ParameterizedTest
    @CsvSource({
        "state_description, launch failed requeued held",
        "state_description, launch_failed_requeued_held",
        "state_reason, JobHoldMaxRequeue",
    })
    void shouldTakeAJobThatSlurmCouldNotLaunchForHeldUntilItIsReleased(String field, String words) {
        String failed =
                "\"job_state\":\"PENDING\",\"priority\":0,\"" + field + "\":\"" + words + "\",\"restart_cnt\":1";
        String marked = failed + ",\"admin_comment\":\"[weir,start=c/1/0@0,reqheld=@1]\"";

        assertHeld(failed, "requeued in held state");
        assertHeld(marked + ",\"comment\":\"[held by user] mine\"", "held by Slurm: " + words.replace('_', ' '));
        assertThat(report(marked + ",\"comment\":\"mine\"").getState()).isEqualTo(JobState.IDLE);
        assertHeld(
                marked.replace("restart_cnt\":1", "restart_cnt\":2") + ",\"comment\":\"[held by user] mine\"",
                "held by its user");
    }

    @Test
    void shouldTellADeletedAssociationOrQosFromAnAdministratorsHold() {
        String rest = ",\"account\":\"chem\",\"association_id\":4,\"qos\":\"short\"";
        SlurmJob before = job(pending(rest));
        String admin = pending("").replace("JobHeldUser", "JobHeldAdmin");
        String noAssociation = rest.replace(":4", ":0");

        assertThat(SlurmJobTranslation.deleted(before, job(admin + noAssociation)))
                .isEqualTo(StartObstacle.NO_ASSOCIATION);
        assertThat(SlurmJobTranslation.deleted(before, job(admin + rest.replace("short", ""))))
                .isEqualTo(StartObstacle.NO_QOS);
        for (StartObstacle reason : List.of(StartObstacle.NO_ASSOCIATION, StartObstacle.NO_QOS)) {
            String moment = pending(rest).replace("JobHeldUser", reason.reason());
            assertThat(SlurmJobTranslation.deleted(before, job(moment))).isEqualTo(reason);
            assertThat(SlurmJobTranslation.deleted(job(admin + rest), job(moment)))
                    .isNull();
            assertThat(SlurmJobTranslation.deleted(job(moment), job(admin + noAssociation.replace("short", ""))))
                    .as("held by an administrator before")
                    .isNull();
            assertThat(report(moment).getState()).isEqualTo(JobState.HOLD);
            assertThat(report(moment).getOwnerMayRelease()).isFalse();
        }
        assertThat(SlurmJobTranslation.deleted(before, job(admin + rest)))
                .as("scontrol hold")
                .isNull();
        assertThat(SlurmJobTranslation.deleted(job(admin + rest), job(admin + noAssociation)))
                .as("held by an administrator before")
                .isNull();
        assertThat(SlurmJobTranslation.deleted(job(pending(noAssociation)), job(admin + noAssociation)))
                .as("held by an administrator afterwards")
                .isNull();
        assertThat(SlurmJobTranslation.deleted(before, job(pending(noAssociation))))
                .isNull();
    }

    @Test
    void shouldTellADependencyThatCanNeverBeFulfilledFromAnAdministratorsHold() {
        String admin = pending("").replace("JobHeldUser", "JobHeldAdmin");
        String dead = ",\"dependency\":\"afterok:12(failed)\"";
        String marked = ",\"admin_comment\":\"[weir,nodep=@0]\"";

        assertHeld(pending(dead), "DependencyNeverSatisfied: afterok:12(failed)");
        assertHeld(admin + dead + marked, "DependencyNeverSatisfied: afterok:12(failed)");
        assertHeld(admin + dead, "held by an administrator of Slurm, or because its dependency can never be fulfilled");
        assertHeld(admin + marked + ",\"restart_cnt\":1", "held by an administrator of Slurm");
        assertHeld(
                pending(",\"dependency\":\"afterok:12(failed),afterany:13(unfulfilled)\""),
                "DependencyNeverSatisfied: afterok:12(failed),afterany:13(unfulfilled)");
        assertHeld(
                pending(",\"dependency\":\"afterok:12(failed)?afterok:13(unfulfilled)\""),
                "waits for afterok:12(failed)?afterok:13(unfulfilled)");
    }
}
