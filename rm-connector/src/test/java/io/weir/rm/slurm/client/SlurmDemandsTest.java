package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.schemas.NameCount;
import io.weir.schemas.TaskRequirement;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlurmDemandsTest {

    private static SlurmDemands demands(int tasks, int procsPerTask, String fields) {
        try {
            JsonNode json = new ObjectMapper()
                    .readTree("{\"tasks\":" + tasks + ",\"cpus_per_task\":" + procsPerTask + "," + fields + "}");
            return SlurmJob.of(json).demands();
        } catch (JsonProcessingException e) {
            throw new AssertionError(fields, e);
        }
    }

    private static TaskRequirement requirement(int tasks, int procsPerTask, String fields) {
        List<TaskRequirement> requirements =
                demands(tasks, procsPerTask, fields).requirements(tasks, procsPerTask, 0, new Counting(1, true));
        assertThat(requirements).hasSize(1);
        return requirements.get(0);
    }

    @Test
    void shouldCountMemoryByProcessorAndByNode() {
        TaskRequirement byProc = requirement(4, 2, "\"memory_per_cpu\":100");
        assertThat(byProc.getMemoryMb()).isEqualTo(200);
        assertThat(byProc.getNodeMemoryMb()).isZero();
        TaskRequirement byNode = requirement(4, 1, "\"memory_per_node\":500");
        assertThat(byNode.getTasks()).isEqualTo(4);
        assertThat(byNode.getMemoryMb()).isZero();
        assertThat(byNode.getNodeMemoryMb()).isEqualTo(500);
    }

    @Test
    void shouldCountGenericResourcesByNode() {
        TaskRequirement four = requirement(4, 1, "\"tres_per_node\":\"gres:gpu:2\"");
        assertThat(four.getTasks()).isEqualTo(4);
        assertThat(four.getGres()).isEmpty();
        assertThat(four.getNodeGres()).containsExactly(new NameCount("gpu", 2L));
        TaskRequirement shared =
                requirement(6, 1, "\"tres_per_job\":\"gres:gpu:4\",\"max_nodes\":2,\"tres_req_str\":\"cpu=6,node=2\"");
        assertThat(shared.getTasks()).isEqualTo(6);
        assertThat(shared.getNodeGres()).as("half of them").containsExactly(new NameCount("gpu", 2L));
    }

    @Test
    void shouldCountGenericResourcesOfSocketsByNode() {
        String bySocket = "\"tres_per_socket\":\"gres:gpu:big:1\"";
        assertThat(requirement(1, 1, bySocket + ",\"sockets_per_node\":2").getNodeGres())
                .containsExactly(new NameCount("gpu", 2L), new NameCount("gpu:big", 2L));
        assertThat(requirement(1, 1, bySocket + ",\"sockets_per_node\":65534").getNodeGres())
                .containsExactly(new NameCount("gpu", 1L), new NameCount("gpu:big", 1L));
        assertThat(requirement(1, 1, bySocket + ",\"tres_per_node\":\"gres:gpu:3\"")
                        .getNodeGres())
                .contains(new NameCount("gpu", 3L));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"tres_per_job\":\"gres:gpu:2\",\"max_nodes\":1,\"tres_req_str\":\"cpu=1,node=1\"",
                "\"tres_per_job\":\"gres:gpu:4\",\"max_nodes\":2,\"tres_req_str\":\"cpu=1,node=2\"",
                "\"tres_per_job\":\"gres:gpu:2\""
            })
    void shouldCountOnceWhatIsSaidOfTheJobAndOfANode(String fields) {
        SlurmAmounts amounts =
                demands(1, 1, "\"tres_per_node\":\"gres:gpu:2\"," + fields).amounts();

        assertThat(amounts.nodeGres()).containsOnly(Map.entry("gpu", 2L));
        assertThat(amounts.gres()).isEmpty();
    }

    @Test
    void shouldCountOnceWhatIsSaidOfTheJobAndOfATask() {
        SlurmAmounts amounts = demands(2, 1, "\"tres_per_job\":\"gres:gpu:2\",\"tres_per_task\":\"gres:gpu:1\"")
                .amounts();

        assertThat(amounts.gres()).containsOnly(Map.entry("gpu", 1L));
        assertThat(demands(1, 1, "\"tres_per_job\":\"gres:gpu:2,gres:fpga:1\",\"tres_per_node\":\"gres:gpu:2\"")
                        .amounts()
                        .gres())
                .as("another resource of the job")
                .containsOnly(Map.entry("fpga", 1L));
    }

    @Test
    void shouldCountProcessorsByGpu() {
        TaskRequirement byNode = requirement(
                1, 1, "\"tres_per_node\":\"gres:gpu:2\",\"cpus_per_tres\":\"gres:gpu:3\",\"memory_per_cpu\":100");
        assertThat(byNode.getNodeProcs()).isEqualTo(6);
        assertThat(byNode.getNodeMemoryMb()).isEqualTo(600);
        TaskRequirement byTask = requirement(
                2, 1, "\"tres_per_task\":\"gres:gpu:2\",\"cpus_per_tres\":\"gpu:3\",\"memory_per_cpu\":100");
        assertThat(byTask.getProcsPerTask()).isEqualTo(6);
        assertThat(byTask.getMemoryMb()).isEqualTo(600);
        assertThat(byTask.getNodeProcs()).isZero();
        TaskRequirement byJob = requirement(4, 1, "\"tres_per_job\":\"gres:gpu:2\",\"cpus_per_tres\":\"gres:gpu:3\"");
        assertThat(byJob.getTasks()).isEqualTo(2);
        assertThat(byJob.getProcsPerTask()).isEqualTo(3);
    }

    @Test
    void shouldCountMemoryByGpu() {
        String perGpu = ",\"memory_per_tres\":\"gres:gpu:500\",\"memory_per_cpu\":100";
        TaskRequirement byNode = requirement(4, 1, "\"tres_per_node\":\"gres:gpu:big:2\"" + perGpu);
        assertThat(byNode.getMemoryMb()).isZero();
        assertThat(byNode.getNodeMemoryMb()).isEqualTo(1_000);
        TaskRequirement byTask = requirement(4, 1, "\"tres_per_task\":\"gres:gpu:1\"" + perGpu);
        assertThat(byTask.getMemoryMb()).isEqualTo(500);
        assertThat(byTask.getNodeMemoryMb()).isZero();
        TaskRequirement one = requirement(1, 1, "\"tres_per_job\":\"gres:gpu:3\"" + perGpu);
        assertThat(one.getMemoryMb()).isEqualTo(1_500);
    }

    @Test
    void shouldLeaveNodesOpenBesidesThoseNamed() {
        SlurmDemands two = demands(
                8,
                1,
                "\"required_nodes\":\"n[3-4]\",\"max_nodes\":4,\"tasks_per_node\":2,\"tres_req_str\":\"cpu=8,node=4\","
                        + "\"memory_per_node\":500,\"tres_per_job\":\"gres:gpu:4\"");

        assertThat(two.leavesNodesOpen()).isTrue();
        TaskRequirement requirement =
                two.requirements(8, 1, 0, new Counting(1, true)).get(0);
        assertThat(requirement.getTasks()).isEqualTo(8);
        assertThat(requirement.getLeastNodes()).isEqualTo(4);
        assertThat(requirement.getMostNodes()).isEqualTo(4);
        assertThat(requirement.getTasksPerNode()).isEqualTo(2);
        assertThat(requirement.getNodeMemoryMb()).isEqualTo(500);
        assertThat(requirement.getNodeGres()).containsExactly(new NameCount("gpu", 1L));
        assertThat(requirement.getRequiredHosts()).containsExactly("n3", "n4");
        assertThat(requirement.getHosts()).isEmpty();
    }

    @Test
    void shouldLeaveTheNumberOfNodesOpenBesidesThoseNamedWhereTheJobSaysNothingOfIt() {
        SlurmDemands six = demands(6, 1, "\"required_nodes\":\"n3\",\"tres_req_str\":\"cpu=6,node=1\"");
        SlurmDemands two = demands(6, 1, "\"required_nodes\":\"n[3-4]\",\"tres_req_str\":\"cpu=6,node=2\"");
        SlurmDemands pairs = demands(
                6,
                1,
                "\"required_nodes\":\"n[1-2]\",\"tres_req_str\":\"cpu=6,node=2\",\"tasks_per_node\":2,"
                        + "\"features\":\"[a|b]\"");

        for (SlurmDemands any : List.of(six, two)) {
            assertThat(any.leavesNodesOpen()).isTrue();
            assertThat(any.objection()).isNull();
            assertThat(any.leastNodes()).isZero();
            assertThat(any.mostNodes()).isZero();
        }
        assertThat(two.requirements(6, 1, 0, new Counting(1, true)).get(0).getRequiredHosts())
                .containsExactly("n3", "n4");
        assertThat(pairs.mostNodes()).isEqualTo(3);
        assertThat(pairs.oneOf()).containsExactly("a", "b");
        assertThat(pairs.leavesNodesOpen()).isTrue();
    }

    @Test
    void shouldUseNoOtherNodesWhereAsManyAreNamedAsThereAreToBe() {
        SlurmDemands five =
                demands(5, 1, "\"required_nodes\":\"n[3-4]\",\"max_nodes\":2,\"tres_req_str\":\"cpu=5,node=2\"");

        assertThat(five.leavesNodesOpen()).isFalse();
        assertThat(five.leastNodes()).isEqualTo(2);
        assertThat(five.mostNodes()).isEqualTo(2);
        assertThat(five.requirements(5, 1, 0, new Counting(1, true)).get(0).getRequiredHosts())
                .isEmpty();
    }

    @Test
    void shouldTakeTheFewestNodesOfARangeWhereSlurmDoes() {
        String range = "\"max_nodes\":2,\"tres_req_str\":\"cpu=4,node=1\"";
        String exact = "\"max_nodes\":1,\"tres_req_str\":\"cpu=4,node=1\"";

        assertThat(demands(4, 1, range).fewestNodes()).isFalse();
        assertThat(demands(4, 1, range + ",\"tres_per_node\":\"gres:gpu:1\"").fewestNodes())
                .isFalse();
        for (String reason : List.of(
                "\"tres_per_job\":\"gres:gpu:2\"",
                "\"tres_per_task\":\"gres:gpu:1\"",
                "\"flags\":[\"USE_MIN_NODES\"]")) {
            SlurmDemands fewest = demands(4, 1, range + "," + reason);
            assertThat(fewest.fewestNodes()).as(reason).isTrue();
            assertThat(fewest.requirements(4, 1, 0, new Counting(1, true)).get(0))
                    .matches(TaskRequirement::getFewestNodes);
            assertThat(demands(4, 1, exact + "," + reason).fewestNodes()).isFalse();
        }
    }

    @Test
    void shouldTakeTheFewestNodesWhereNoNumberIsGiven() {
        assertThat(requirement(4, 2, "\"cpus\":8")).matches(TaskRequirement::getFewestNodes);
        assertThat(requirement(4, 1, "\"tres_req_str\":\"cpu=4,node=2\"").getFewestNodes())
                .as("of two at least")
                .isTrue();
        assertThat(demands(4, 1, "\"max_nodes\":2,\"tres_req_str\":\"cpu=4,node=2\"")
                        .fewestNodes())
                .as("of two")
                .isFalse();
        assertThat(demands(1, 4, "\"cpus\":4").requirements(1, 4, 0, new Counting(1, true)))
                .as("one task")
                .isEmpty();
    }

    @Test
    void shouldTellNodesThatWereAskedForFromThoseThatSlurmGuesses() {
        SlurmDemands guessed =
                demands(6, 1, "\"node_count\":2,\"max_nodes\":0,\"tres_req_str\":\"cpu=6,node=1,billing=6\"");
        assertThat(guessed.leastNodes()).isZero();
        assertThat(guessed.mostNodes()).isZero();
        SlurmDemands exact = demands(4, 1, "\"node_count\":2,\"max_nodes\":2,\"tres_req_str\":\"cpu=4,node=2\"");
        assertThat(exact.leastNodes()).isEqualTo(2);
        assertThat(exact.mostNodes()).isEqualTo(2);
        SlurmDemands range = demands(4, 1, "\"node_count\":2,\"max_nodes\":4,\"tres_req_str\":\"cpu=4,node=2\"");
        assertThat(range.leastNodes()).isEqualTo(2);
        assertThat(range.mostNodes()).isEqualTo(4);
        SlurmDemands one = demands(4, 1, "\"node_count\":1,\"max_nodes\":1,\"tres_req_str\":\"cpu=4,node=1\"");
        assertThat(one.amounts().together()).as("all on one node").isEqualTo(4);
    }

    @Test
    void shouldLeaveTheSizeToTheStartWhereARangeGoesBeyondTheTasks() {
        String range = "\"max_nodes\":4,\"tres_req_str\":\"cpu=2,node=2\"";

        assertThat(demands(2, 1, range).moldable()).isTrue();
        assertThat(requirement(2, 1, range)).matches(TaskRequirement::getMoldable);
        assertThat(demands(4, 1, range.replace("cpu=2", "cpu=4")).moldable())
                .as("four tasks")
                .isFalse();
        assertThat(demands(2, 1, range + ",\"tasks_per_node\":1").moldable())
                .as("so many a node")
                .isFalse();
        assertThat(demands(2, 1, range + ",\"flags\":[\"USE_MIN_NODES\"]").moldable())
                .as("the fewest")
                .isFalse();
        assertThat(demands(2, 1, "\"max_nodes\":2,\"tres_req_str\":\"cpu=2,node=2\"")
                        .moldable())
                .as("exactly two")
                .isFalse();
        assertThat(demands(2, 1, "\"cpus\":2").moldable()).as("any nodes").isFalse();
        String byGpu = range + ",\"cpus_per_tres\":\"gres:gpu:1\"";
        assertThat(demands(2, 1, byGpu).moldable()).as("without GPUs").isFalse();
        assertThat(demands(2, 1, byGpu + ",\"tres_per_node\":\"gres:gpu:1\"").moldable())
                .as("with GPUs of each node")
                .isTrue();
    }

    @Test
    void shouldKeepTheTasksThatWereAskedForWhenItStartsOnMoreNodes() throws JsonProcessingException {
        SlurmJob job = SlurmJob.of(
                new ObjectMapper()
                        .readTree(
                                "{\"tasks\":3,\"cpus\":6,\"cpus_per_task\":2,\"max_nodes\":3,\"required_nodes\":\"n[1-3]\","
                                        + "\"tres_req_str\":\"cpu=6,node=3\",\"admin_comment\":\"[weir,start=c:0,asked=n%3A2-4%3Bk%3A2]\"}"));

        assertThat(job.tasks()).isEqualTo(2);
        assertThat(job.procsPerTask()).isEqualTo(2);
        assertThat(job.demands().moldable()).isTrue();
        assertThat(job.demands().mostNodes()).isEqualTo(4);
    }

    @Test
    void shouldTakeTasksPerNodeForTheMost() {
        assertThat(demands(4, 1, "\"tasks_per_node\":2").mostTasksPerNode()).isEqualTo(2);
        assertThat(demands(5, 1, "\"tasks_per_node\":2").mostTasksPerNode()).isEqualTo(2);
    }

    @Test
    void shouldGiveNodesAsManyTasksAsEachIsToHave() {
        TaskRequirement even = requirement(6, 1, "\"tasks_per_node\":3");
        assertThat(even.getTasksPerNode()).isEqualTo(3);
        assertThat(even.getMostNodes()).isEqualTo(2);
        TaskRequirement uneven = requirement(5, 1, "\"tasks_per_node\":3");
        assertThat(uneven.getTasksPerNode()).isNull();
        assertThat(uneven.getMostNodes()).isEqualTo(2);
        assertThat(uneven.getMostTasksPerNode()).isEqualTo(3);
        TaskRequirement wide =
                requirement(4, 1, "\"tasks_per_node\":2,\"max_nodes\":3,\"tres_req_str\":\"cpu=4,node=3\"");
        assertThat(wide.getTasksPerNode()).isNull();
        assertThat(wide.getMostNodes()).isEqualTo(3);
    }

    @Test
    void shouldGiveANodeNoMoreTasksThanItsSocketsMayHave() {
        Counting cores = new Counting(2, 2, null, Integer.MAX_VALUE, true, GresUnits.ONES);

        assertThat(mostTasks(6, 1, 1, cores)).as("a core of each socket").isEqualTo(4);
        assertThat(mostTasks(5, 2, 1, cores)).isEqualTo(2);
        assertThat(mostTasks(9, 1, 3, cores)).isEqualTo(8);
        assertThat(mostTasks(5, 3, 1, cores)).isEqualTo(2);
        assertThat(mostTasks(2, 1, 1, new Counting(2, true)))
                .as("nobody knows the nodes")
                .isZero();
        assertThat(mostTasks(6, 1, 0xffff, cores)).as("any number").isZero();
    }

    private static int mostTasks(int tasks, int procs, int ofSocket, Counting counting) {
        return demands(tasks, procs, "\"max_nodes\":9,\"tasks_per_socket\":" + ofSocket)
                .requirements(tasks, procs, 0, counting)
                .get(0)
                .getMostTasksPerNode();
    }

    @Test
    void shouldCountMemoryByProcessorForWholeCores() {
        String fields = "\"memory_per_cpu\":100";
        assertThat(demands(1, 1, fields)
                        .requirements(1, 1, 0, new Counting(2, true))
                        .get(0)
                        .getMemoryMb())
                .isEqualTo(200);
        assertThat(demands(1, 3, fields)
                        .requirements(1, 3, 0, new Counting(2, true))
                        .get(0)
                        .getMemoryMb())
                .isEqualTo(400);
        assertThat(demands(4, 1, fields)
                        .requirements(4, 1, 0, new Counting(2, true))
                        .get(0)
                        .getMemoryMb())
                .as("of tasks that may share a core")
                .isEqualTo(100);
        assertThat(demands(3, 1, fields + ",\"max_nodes\":1")
                        .requirements(3, 1, 0, new Counting(2, true))
                        .get(0)
                        .getMemoryMb())
                .as("of all tasks on one node")
                .isEqualTo(400);
    }

    @Test
    void shouldKeepTheThreadsOfCoresThatATaskHasForItself() throws JsonProcessingException {
        assertThat(procs("\"threads_per_core\":1")).isEqualTo(6);
        assertThat(procs("\"threads_per_core\":2")).isEqualTo(3);
        assertThat(procs("\"threads_per_core\":65534")).isEqualTo(3);
        assertThat(procs("\"tasks_per_core\":1")).isEqualTo(4);
        assertThat(procs("\"tasks_per_core\":null,\"threads_per_core\":null")).isEqualTo(3);
    }

    private static int procs(String fields) throws JsonProcessingException {
        return SlurmJob.of(new ObjectMapper().readTree("{\"tasks\":2,\"cpus_per_task\":3," + fields + "}"))
                .procsPerTask(2);
    }

    @Test
    void shouldKeepTasksTogetherThatShareWhatTheWholeJobAsksFor() {
        assertThat(demands(4, 1, "\"tres_per_job\":\"gres:gpu:1\"").amounts().together())
                .isEqualTo(4);
        assertThat(demands(4, 1, "\"tres_per_job\":\"gres:gpu:2\"").amounts().together())
                .isEqualTo(2);
        assertThat(demands(4, 1, "\"tres_per_job\":\"gres:gpu:4\"").amounts().together())
                .isEqualTo(1);
        SlurmDemands uneven = demands(4, 1, "\"tres_per_job\":\"gres:gpu:3\"");
        assertThat(uneven.amounts().together()).isEqualTo(1);
        assertThat(uneven.amounts().gres()).containsEntry("gpu", 1L);
        assertThat(demands(6, 1, "\"tres_per_job\":\"gres:gpu:4\",\"max_nodes\":3,\"tres_req_str\":\"cpu=6,node=3\"")
                        .amounts()
                        .together())
                .as("two groups are too few for three nodes")
                .isEqualTo(1);
        SlurmDemands two = demands(6, 2, "\"tres_per_job\":\"gres:gpu:4\"");
        assertThat(two.requirements(6, 2, 0, new Counting(1, true)).get(0).getTasks())
                .isEqualTo(2);
        assertThat(two.requirements(6, 2, 0, new Counting(1, true)).get(0).getProcsPerTask())
                .isEqualTo(6);
        assertThat(two.amounts().gres()).containsEntry("gpu", 2L);
    }

    @Test
    void shouldPlaceTasksThatShareAProcessorAsOne() throws JsonProcessingException {
        SlurmJob job = SlurmJob.of(new ObjectMapper()
                .readTree("{\"tasks\":20,\"cpus\":2,\"max_nodes\":2,\"restart_cnt\":1,"
                        + "\"tres_req_str\":\"cpu=2,mem=1G,node=2\"}"));
        assertThat(job.tasks()).isEqualTo(2);
        assertThat(job.procsPerTask()).isEqualTo(1);
        assertThat(job.wishes().tasks()).isEqualTo(20);
        assertThat(job.sharesProcessors()).isTrue();
        assertThat(job.wishes().restoring(job))
                .as("Slurm would count a processor for each task")
                .noneMatch(field -> field.startsWith("NumNodes"));
    }

    @Test
    void shouldReadFeaturesAndChoices() {
        assertThat(demands(1, 1, "\"features\":\"fast&big\"").features()).containsExactly("big", "fast");
        assertThat(demands(1, 1, "\"features\":\"fast|big\"").features()).containsExactly("fast|big");
        assertThat(demands(1, 1, "\"features\":\"ib&(fast|big)\"").features()).containsExactly("fast|big", "ib");
        assertThat(demands(1, 1, "\"features\":\"[a|b]\",\"max_nodes\":1").features())
                .containsExactly("a|b");
        SlurmDemands same = demands(4, 1, "\"features\":\"fast&[a|b]\"");
        assertThat(same.oneOf()).containsExactly("a", "b");
        assertThat(same.features()).containsExactly("fast");
        assertThat(same.objection()).isNull();
        assertThat(demands(1, 1, "\"features\":\"[a|b]&[c|d]\"").objection()).contains("[c|d]");
        assertThat(demands(1, 1, "\"features\":\"[a&b|c]\"").objection()).contains("brackets");
        assertThat(demands(1, 1, "\"features\":\"[a|b:c]\"").objection()).contains("brackets");
        assertThat(demands(1, 1, "\"features\":\"a|b&c\"").objection()).contains("parentheses");
        assertThat(demands(1, 1, "\"features\":\"a*2\"").objection()).contains("count");
        assertThat(demands(1, 1, "\"features\":\"a&(b\"").objection()).isNotNull();
        assertThat(demands(1, 1, "\"prefer\":\"fast\"").preferred()).isEqualTo("feature:fast");
        assertThat(demands(1, 1, "\"excluded_nodes\":\"n[1-2]\"").excluded()).containsExactly("n1", "n2");
    }

    @Test
    void shouldWriteHostListsInTheShortWay() {
        assertThat(HostList.compress(List.of("n3", "n1", "n2", "n10", "login", "n07", "r1x", "7")))
                .isEqualTo("7,login,r1x,n[1-3],n[07,10]");
        List<String> many = IntStream.range(0, 5000)
                .filter(number -> number % 7 != 0)
                .mapToObj(number -> "node" + number)
                .toList();
        assertThat(HostList.expand(HostList.compress(many))).containsExactlyInAnyOrderElementsOf(many);
    }

    @Test
    void shouldAddUpGenericResourcesOfAllTypes() {
        assertThat(SlurmAmounts.counts("gpu:tesla:2(S:0-1),gpu:k80:1,craynetwork:4,fpga"))
                .containsEntry("gpu", 3L)
                .containsEntry("craynetwork", 4L)
                .containsEntry("fpga", 1L)
                .containsEntry("gpu:tesla", 2L)
                .hasSize(5);
        assertThat(demands(4, 1, "\"tres_per_job\":\"gres:gpu:8\"").amounts().gres())
                .containsEntry("gpu", 2L);
        assertThat(demands(4, 1, "\"tres_per_task\":\"gres:gpu:1\"").amounts().gres())
                .containsEntry("gpu", 1L);
        assertThat(SlurmAmounts.counts("(null)")).isEmpty();
    }

    @Test
    void shouldReadUnitsOfCounts() {
        assertThat(SlurmAmounts.counts("disk:900G,bandwidth:lustre:2K(S:0),shard:4kb,licence:3g.20gb,gpu:3MiB"))
                .containsEntry("disk", 900L << 30)
                .containsEntry("bandwidth", 2_048L)
                .containsEntry("bandwidth:lustre", 2_048L)
                .containsEntry("shard", 4_000L)
                .containsEntry("licence:3g.20gb", 1L)
                .containsEntry("gpu", 3L << 20)
                .hasSize(7);
        assertThat(SlurmAmounts.counts("disk:999999999999999P")).containsEntry("disk", Long.MAX_VALUE);
        assertThat(requirement(2, 1, "\"tres_per_task\":\"gres:disk:999999999999999P\"")
                        .getGres())
                .containsExactly(new NameCount("disk", Long.MAX_VALUE));
    }

    @Test
    void shouldCountInUnitsWhatThereIsVeryMuchOf() {
        Counting inKilobytes = new Counting(1, 1, null, Integer.MAX_VALUE, true, new GresUnits(Map.of("disk", 1_024L)));
        SlurmDemands demands = demands(
                1, 1, "\"tres_per_node\":\"gres:disk:fast:10G,gres:gpu:2\",\"tres_per_task\":\"gres:disk:1025\"");
        TaskRequirement requirement = demands.requirements(1, 1, 0, inKilobytes).get(0);

        assertThat(requirement.getNodeGres())
                .containsExactly(
                        new NameCount("disk", 10L << 20),
                        new NameCount("disk:fast", 10L << 20),
                        new NameCount("gpu", 2L));
        assertThat(requirement.getGres()).as("a part of a unit is one").containsExactly(new NameCount("disk", 2L));
    }

    @Test
    void shouldExpandHostLists() {
        assertThat(HostList.expand("n[08-10,12],login,r[1-2]x"))
                .containsExactly("n08", "n09", "n10", "n12", "login", "r1x", "r2x");
        assertThat(HostList.expand("")).isEmpty();
        assertThat(HostList.expand("n[1-")).containsExactly("n[1-");
    }

    @Test
    void shouldAskForLargeEnoughNodesWhereMemoryIsNotCounted() {
        Counting uncounted = new Counting(1, false);
        TaskRequirement byNode = demands(2, 1, "\"memory_per_node\":6000")
                .requirements(2, 1, 0, uncounted)
                .get(0);
        assertThat(byNode.getNodeMemoryMb()).isZero();
        assertThat(byNode.getMemoryMb()).isZero();
        assertThat(byNode.getNodeConditions()).containsExactly("memory>=6000");

        TaskRequirement byProc = demands(1, 3, "\"memory_per_cpu\":3000")
                .requirements(1, 3, 0, uncounted)
                .get(0);
        assertThat(byProc.getMemoryMb()).isZero();
        assertThat(byProc.getNodeConditions()).containsExactly("memory>=3000");

        assertThat(demands(1, 1, "\"name\":\"j\"").requirements(1, 1, 0, uncounted))
                .isEmpty();
    }

    @Test
    void shouldTakeNodesWithRoomForWhatAJobLeavesToTheSystemBesideItsTasks() {
        Counting twoThreads = new Counting(2, true);
        AdminNote cores = AdminNote.parse("[weir,begin=7,corespec=3]");
        AdminNote threads = AdminNote.parse("[weir,threadspec=3]");
        assertThat(cores.spared(2)).isEqualTo(6);
        assertThat(threads.spared(2)).isEqualTo(4);
        assertThat(AdminNote.parse("[weir,threadspec=x]").spared(2)).isZero();

        assertThat(demands(2, 1, "\"name\":\"j\"")
                        .requirements(2, 1, cores.spared(2), twoThreads)
                        .get(0)
                        .getNodeConditions())
                .containsExactly("procs>=8");
        assertThat(demands(6, 1, "\"tasks_per_node\":2")
                        .requirements(6, 1, threads.spared(2), twoThreads)
                        .get(0)
                        .getNodeConditions())
                .containsExactly("procs>=6");
    }
}
