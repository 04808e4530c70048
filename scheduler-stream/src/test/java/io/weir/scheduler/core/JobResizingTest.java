package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobState;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TaskRequirement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** More and fewer nodes for a running job, from the request to the command, its result and the next report. */
class JobResizingTest {
    private static final NodeAllocation FIRST = new NodeAllocation("n1", 2);
    private static final NodeAllocation SECOND = new NodeAllocation("n2", 2);

    /** n1 and n2 of 4 processors; j1 runs on 2 of n1. */
    private final SchedulerFixture weir =
            new SchedulerFixture().nodes(2, 4).adopt("j1", 2, 3600, 0, "n1").iterate(0);

    @Test
    void shouldFollowWhatARunningJobHoldsThoughItsNodesStay() {
        TaskRequirement taped = TaskRequirement.newBuilder()
                .setTasks(1)
                .setProcsPerTask(1)
                .setGres(List.of(new NameCount("tape", 1L)))
                .build();
        SchedulerFixture site = new SchedulerFixture()
                .node("n1", 4, NodeState.IDLE, node -> node.setGres(List.of(new NameCount("tape", 1L))))
                .adopt("old", 1, 3600, 0, "n1")
                .iterate(0);

        site.submit(
                        "old",
                        1,
                        3600,
                        job -> job.setRequirements(List.of(taped))
                                .setState(JobState.RUNNING)
                                .setStartTime(SchedulerFixture.at(0))
                                .setAllocation(List.of(new NodeAllocation("n1", 1))))
                .submit("new", 1, 60, job -> job.setRequirements(List.of(taped)))
                .iterate(1);

        assertThat(site.started()).as("the only tape is taken").isEmpty();
        assertThat(site.publishedExplanations.get("new"))
                .hasFieldOrPropertyWithValue(
                        "message",
                        "has room for 0 of 1 task now (Features); waits for old; expected to start at 1970-01-12T14:46:40Z");
    }

    @Test
    void shouldBelieveAJobThatHoldsMoreOfANodeThanThereIs() {
        SchedulerFixture site = new SchedulerFixture()
                .policy("RESERVATIONDEPTH 5")
                .node("n1", 4, NodeState.IDLE)
                .adopt("large", 8, 3600, 0, "n1")
                .submit("small", 1, 60)
                .submit("four", 4, 60)
                .iterate(0);
        assertThat(site.started()).isEmpty();
        assertThat(site.reservedStart("small")).isEqualTo(3600);
        assertThat(site.reservedStart("four"))
                .as("four of four, behind the small one")
                .isEqualTo(3660);

        site.end("large", 100).iterate(100);
        assertThat(site.started()).containsExactly("small");
    }

    @Test
    void shouldCommitNodesFromTheMomentTheyAreAskedFor() {
        ask("+=n2");

        RmCommand command = weir.lastCommands().get(0);
        assertThat(command.getKind()).isEqualTo(CommandKind.ADD_NODES);
        assertThat(command.getJobId()).isEqualTo("j1");
        assertThat(command.getAllocation()).containsExactly(SECOND);
        assertThat(weir.job("j1").getAllocation()).containsExactly(FIRST, SECOND);

        // 4 of the 8 processors are free; a job of 6 has to wait, one of 4 starts.
        weir.submit("six", 6, 60).submit("four", 4, 60).iterate(2);
        assertThat(weir.job("six").getState()).isEqualTo(JobState.IDLE);
        assertThat(weir.job("four").getState()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void shouldKeepAddedNodesAgainstOlderReport() {
        ask("+=n2");
        long number = weir.lastCommands().get(0).getNumber();
        weir.runsOn("j1", number - 1, FIRST).iterate(2);

        assertThat(weir.job("j1").getAllocation()).containsExactly(FIRST, SECOND);
        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.FULL_POLL);

        weir.answer("j1", CommandOutcome.DONE, 3)
                .runsOn("j1", number, FIRST, SECOND)
                .iterate(3);
        assertThat(weir.job("j1").getAllocation()).containsExactly(FIRST, SECOND);
    }

    @Test
    void shouldAskWhatBecameOfRefusedNodes() {
        ask("+=n2");
        long number = weir.lastCommands().get(0).getNumber();

        weir.answer("j1", CommandOutcome.REFUSED, 2).iterate(2);
        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.FULL_POLL);
        assertThat(weir.lastNotifications())
                .extracting(Notification::getText)
                .containsExactly("ADD_NODES of job j1 refused: says the rm");

        weir.runsOn("j1", number, FIRST).iterate(3);
        assertThat(weir.job("j1").getAllocation()).containsExactly(FIRST);
    }

    @Test
    void shouldKeepRemovedNodesUntilTheyAreReportedFree() {
        ask("+=n2:1");
        long added = weir.lastCommands().get(0).getNumber();
        weir.answer("j1", CommandOutcome.DONE, 1)
                .runsOn("j1", added, FIRST, new NodeAllocation("n2", 1))
                .iterate(1);

        ask("-=n2");

        RmCommand command = weir.lastCommands().get(0);
        assertThat(command.getKind()).isEqualTo(CommandKind.REMOVE_NODES);
        assertThat(command.getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n2");
        assertThat(weir.job("j1").getAllocation()).hasSize(2);
        weir.answer("j1", CommandOutcome.DONE, 3)
                .runsOn("j1", command.getNumber(), FIRST)
                .iterate(3);
        assertThat(weir.job("j1").getAllocation()).containsExactly(FIRST);
    }

    @Test
    void shouldRefuseWhatCannotBeDone() {
        assertThat(refusal("n2")).contains("+NODE");
        assertThat(refusal("+=n2:x")).contains("+NODE");
        assertThat(refusal("+=n9")).isEqualTo("no node n9");
        assertThat(refusal("+=n1")).isEqualTo("job j1 has node n1 already");
        assertThat(refusal("+n2:5")).isEqualTo("node n2 has 4 processors free, not 5");
        assertThat(refusal("-n2")).isEqualTo("job j1 has no node n2");
        assertThat(refusal("-=n1")).isEqualTo("job j1 would be left without a node");
        weir.node("n2", 4, NodeState.DRAINED);
        assertThat(refusal("+=n2")).isEqualTo("node n2 is DRAINED");
        weir.node("n2", 4, NodeState.IDLE)
                .request("s", RequestKind.CREATE_RESERVATION, "new", List.of(new NameValue("h", "n2")));
        assertThat(refusal("+=n2")).contains("is kept for others by reservation");
        weir.submit("idle", 8, 60).iterate(2);
        weir.request("r" + requests++, RequestKind.MODIFY_JOB, "idle", List.of(new NameValue("hostlist", "+=n2")))
                .iterate(2);
        assertThat(weir.lastAnswers().get(0).getMessage()).isEqualTo("job idle is not running but IDLE");
    }

    @Test
    void shouldRefuseNodesThatPlacementWouldNotGiveTheJob() {
        weir.node("n2", 4, NodeState.IDLE, node -> node.setPartition("other"));
        assertThat(refusal("+n2")).startsWith("node n2 is in partition other, job j1 in ");
        weir.node("n2", 4, NodeState.IDLE, node -> node.setFailing(true));
        assertThat(refusal("+n2")).isEqualTo("node n2 is failing");
        weir.node("n2", 4, NodeState.IDLE, node -> node.setPoweredOn(false));
        assertThat(refusal("+n2")).isEqualTo("node n2 is switched off");
        weir.node("n2", 4, NodeState.IDLE).policy("NODECFG[n2] MAXPROC=1");
        assertThat(refusal("+n2")).isEqualTo("node n2 cannot take 2 processors of job j1 (Policy)");
        weir.policy("").adopt("j2", 1, 3600, 0, "n2");
        weir.policy("NODECFG[n2] MAXJOB=1");
        assertThat(refusal("+n2")).isEqualTo("node n2 cannot take 2 processors of job j1 (Policy)");
        weir.policy("NODEACCESSPOLICY SINGLEJOB");
        assertThat(refusal("+n2")).isEqualTo("node n2 cannot take 2 processors of job j1 (Policy)");
        weir.policy("");
        ask("+n2");
        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.ADD_NODES);
    }

    @Test
    void shouldRefuseNodesThatLackWhatTheJobAskedFor() {
        TaskRequirement large = TaskRequirement.newBuilder()
                .setTasks(1)
                .setProcsPerTask(1)
                .setMemoryMb(2000)
                .build();
        SchedulerFixture site = new SchedulerFixture()
                .policy("CLASSCFG[kept] HOSTLIST=n1,n4")
                .node("n1", 4, NodeState.IDLE, node -> node.setMemoryMb(4000))
                .node("n2", 4, NodeState.IDLE, node -> node.setMemoryMb(1000))
                .node("n3", 4, NodeState.IDLE, node -> node.setMemoryMb(4000))
                .node("n4", 4, NodeState.IDLE, node -> node.setMemoryMb(4000))
                .submit(
                        "j1",
                        1,
                        3600,
                        job -> job.setRequirements(List.of(large))
                                .setJobClass("kept")
                                .setHosts(List.of("n1"))
                                .setState(JobState.RUNNING)
                                .setStartTime(SchedulerFixture.at(0))
                                .setAllocation(List.of(new NodeAllocation("n1", 1))))
                .iterate(0);
        assertThat(answer(site, "+n3")).isEqualTo("node n3 cannot take 1 processors of job j1 (Class)");
        site.policy("");
        assertThat(answer(site, "+n2")).isEqualTo("node n2 cannot take 1 processors of job j1 (Memory)");
        assertThat(answer(site, "+n3:3")).isEqualTo("node n3 cannot take 3 processors of job j1 (Memory)");
        assertThat(answer(site, "+n3:2")).isEqualTo("sent to the resource manager");
    }

    private String answer(SchedulerFixture site, String hosts) {
        site.request("r" + requests++, RequestKind.MODIFY_JOB, "j1", List.of(new NameValue("hostlist", hosts)))
                .iterate(1);
        return String.valueOf(
                site.lastAnswers().get(site.lastAnswers().size() - 1).getMessage());
    }

    @Test
    void shouldBeTheSameAfterARebuild() {
        weir.rebuildingAlways();

        shouldKeepRemovedNodesUntilTheyAreReportedFree();
    }

    private int requests;

    private String refusal(String hosts) {
        ask(hosts);
        assertThat(weir.lastCommands())
                .extracting(RmCommand::getKind)
                .doesNotContain(CommandKind.ADD_NODES, CommandKind.REMOVE_NODES);
        var answer = weir.lastAnswers().get(weir.lastAnswers().size() - 1);
        assertThat(answer.getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        return String.valueOf(answer.getMessage());
    }

    private void ask(String hosts) {
        weir.request("r" + requests++, RequestKind.MODIFY_JOB, "j1", List.of(new NameValue("hostlist", hosts)))
                .iterate(1);
    }
}
