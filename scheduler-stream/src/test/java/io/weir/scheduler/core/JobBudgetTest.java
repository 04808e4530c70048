package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.JobBudget;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.state.ConnectorStatus;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TaskRequirement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many jobs a cluster holds, and what becomes of those it does not. */
class JobBudgetTest {
    private static final JobBudget FEW = new JobBudget(40, 1_000_000, 30, 10, 1_000_000);

    private final SchedulerFixture weir = new SchedulerFixture(FEW).nodes(1, 4);

    @Test
    void shouldTakeInNoMoreWaitingJobsThanThereIsRoomForAndAskForThemOnceThereIs() {
        weir.rebuildingAlways();
        submit(0, 45);
        weir.iterate(0);

        assertThat(weir.knows("j39")).isTrue();
        assertThat(weir.knows("j40")).isFalse();
        assertThat(connector().getOmittedJobs()).isEqualTo(5);
        assertThat(noticed())
                .singleElement()
                .satisfies(notice ->
                        assertThat(notice.getText()).contains("job j40 is not taken in: 40 jobs wait; at most 40 may"));
        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).doesNotContain(CommandKind.FULL_POLL);

        weir.iterate(5);
        assertThat(connector().getOmittedJobs())
                .as("room for one job is not worth a full poll")
                .isEqualTo(5);
        weir.end("j0", 10).iterate(10);
        assertThat(weir.outputs.stream().map(Output::value))
                .filteredOn(RmCommand.class::isInstance)
                .extracting(value -> ((RmCommand) value).getKind())
                .contains(CommandKind.FULL_POLL);
        assertThat(connector().getOmittedJobs()).isZero();
        assertThat(weir.outputs.stream().map(Output::value))
                .filteredOn(Notification.class::isInstance)
                .anyMatch(value -> ((Notification) value).getText().contains("there is room again"));

        submit(40, 42);
        assertThat(weir.knows("j40")).isTrue();
    }

    @Test
    void shouldTakeInARunningJobHoweverManyWait() {
        submit(0, 45);

        weir.adopt("running", 2, 100, 0, "n1");

        assertThat(weir.knows("running")).isTrue();
    }

    @Test
    void shouldCountTextsAndGiveTheirRoomBack() {
        big(0, 35);
        weir.iterate(0);

        assertThat(IntStream.range(0, 35).filter(i -> !weir.knows("big" + i))).containsExactly(32, 33, 34);
        assertThat(noticed())
                .singleElement()
                .satisfies(notice -> assertThat(notice.getText()).contains("all texts of jobs that wait or run have"));

        weir.end("big0", 10).iterate(10);
        big(34, 35);
        assertThat(weir.knows("big34")).isTrue();
    }

    @Test
    void shouldTakeInNoMoreRequirementsThanAPassCanTry() {
        weir.rebuildingAlways();
        for (int i = 0; i < 5; i++) {
            spread("s" + i, 11);
        }
        submit(0, 1);
        weir.iterate(0);

        assertThat(IntStream.range(0, 5).filter(i -> weir.knows("s" + i))).containsExactly(0, 1, 2);
        assertThat(weir.knows("j0")).isTrue();
        assertThat(noticed())
                .singleElement()
                .satisfies(notice -> assertThat(notice.getText())
                        .contains("have 30 requirements besides the first of each; at most 30 are allowed"));

        weir.report("s0", JobState.REMOVED, Long.MAX_VALUE);
        spread("s3", 11);
        assertThat(weir.knows("s3")).isTrue();
    }

    private void spread(String id, int requirements) {
        weir.submit(
                id,
                1,
                100,
                job -> job.setRequirements(IntStream.range(0, requirements)
                        .mapToObj(i -> TaskRequirement.newBuilder()
                                .setTasks(1)
                                .setProcsPerTask(1)
                                .setMemoryMb(i + 1L)
                                .build())
                        .toList()));
    }

    @Test
    void shouldRefuseToAttachMoreThanThereIsRoomForAndLetItBeTakenAway() {
        big(0, 32);
        weir.request("r1", RequestKind.MODIFY_JOB, "big1", List.of(new NameValue("variable", "a=" + "v".repeat(2_000))))
                .request(
                        "r2",
                        RequestKind.MODIFY_JOB,
                        "big1",
                        List.of(new NameValue("variable", "b=" + "v".repeat(2_000))))
                .request("r3", RequestKind.MODIFY_JOB, "big1", List.of(new NameValue("variable", "-a")))
                .request("r4", RequestKind.MODIFY_JOB, "big1", List.of(new NameValue("message", "m".repeat(500))))
                .iterate(0);

        assertThat(weir.lastAnswers())
                .extracting(answer -> answer.getRequestId() + " " + answer.getOutcome())
                .containsExactly(
                        "r1 " + RequestOutcome.ACCEPTED,
                        "r2 " + RequestOutcome.REFUSED,
                        "r3 " + RequestOutcome.ACCEPTED,
                        "r4 " + RequestOutcome.ACCEPTED);
        assertThat(weir.lastAnswers().get(1).getMessage()).contains("at most 1000000 are allowed; take something away");
    }

    @Test
    void shouldForgetTheFirstOfTooManyFinishedJobs() {
        weir.policy("JOBCPURGETIME 365:00:00:00").iterate(0);
        for (int i = 0; i < 15; i++) {
            weir.submit("j" + i, 4, 100).iterate(10L * i);
            weir.end("j" + i, 10L * i + 5);
        }
        weir.iterate(200);

        assertThat(IntStream.range(0, 15).filter(i -> weir.knows("j" + i)).count())
                .isEqualTo(10);
        assertThat(weir.knows("j4")).isFalse();
        assertThat(weir.knows("j5")).isTrue();
        assertThat(weir.job("j14").getState()).isEqualTo(JobState.COMPLETED);
    }

    private void big(int from, int to) {
        for (int i = from; i < to; i++) {
            weir.submit("big" + i, 4, 100, job -> job.setExtension("x".repeat(30_000)));
        }
    }

    private void submit(int from, int to) {
        for (int i = from; i < to; i++) {
            weir.submit("j" + i, 4, 100);
        }
    }

    private ConnectorStatus connector() {
        return weir.domain().getConnectors().get(0);
    }

    private List<Notification> noticed() {
        return weir.lastNotifications().stream()
                .filter(notice -> notice.getEvent().equals("jobsomitted"))
                .toList();
    }
}
