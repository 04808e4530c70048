package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.output.OutputKind;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What could start when, and what could be had at once. Times are seconds after the beginning. */
class TimeQuestionsTest {
    private int questions;

    /** One node of 8: half of it taken until 100, all of it promised to a job from then until 150. */
    private static SchedulerFixture promised() {
        return new SchedulerFixture()
                .nodes(1, 8)
                .submit("runs", 4, 100)
                .iterate(0)
                .submit("waits", 8, 50)
                .iterate(10);
    }

    @Test
    void shouldEstimateAStartAsIfOnTop() {
        assertThat(ask(promised(), RequestKind.SHOW_START, "8@60"))
                .containsExactly("estimate: method=rsv start=" + at(100) + " end=" + at(160)
                        + " partition=DEFAULT nodes=1 procs=8");
    }

    @Test
    void shouldEstimateAStartBehindWhatIsPromised() {
        assertThat(ask(promised(), RequestKind.SHOW_START, "8@0:01:00", "method", "prio"))
                .containsExactly("estimate: method=prio start=" + at(150) + " end=" + at(210)
                        + " partition=DEFAULT nodes=1 procs=8");
    }

    @Test
    void shouldEstimateTheStartOfAJobThatWaits() {
        SchedulerFixture weir = promised().submit("later", 8, 30).iterate(11);

        assertThat(ask(weir, RequestKind.SHOW_START, "later", "method", "all"))
                .containsExactly(
                        "estimate: method=rsv start=" + at(100) + " end=" + at(130)
                                + " partition=DEFAULT nodes=1 procs=8",
                        "estimate: method=prio start=" + at(150) + " end=" + at(180)
                                + " partition=DEFAULT nodes=1 procs=8");
    }

    @Test
    void shouldSayThatSomethingNeverFits() {
        assertThat(ask(promised(), RequestKind.SHOW_START, "9@60")).containsExactly("estimate: method=rsv");
    }

    @Test
    void shouldRefuseQuestionsThatHaveNoAnswer() {
        assertThat(ask(promised(), RequestKind.SHOW_START, "nothing"))
                .first()
                .asString()
                .contains("no job nothing");
        assertThat(ask(promised(), RequestKind.SHOW_START, "runs"))
                .first()
                .asString()
                .contains("does not wait");
        assertThat(ask(promised(), RequestKind.SHOW_START, "waits", "method", "hist"))
                .first()
                .asString()
                .contains("'hist'");
        assertThat(ask(promised(), RequestKind.SHOW_BACKFILL, "-", "duration", "soon"))
                .first()
                .asString()
                .contains("REFUSED");
    }

    @Test
    @Feature("RSV-9")
    void shouldShowWhatMayBeUsedWithoutDelayingAnyone() {
        assertThat(ask(promised(), RequestKind.SHOW_BACKFILL, "-"))
                .containsExactly(
                        "window: partition=DEFAULT tasks=4 nodes=1 offsetSeconds=0 durationSeconds=89 start=" + at(11));
    }

    /**
     * Three of four processors are taken until 100, and reserved from then on. Under FIRSTAVAILABLE the plan by nodes gives the
     * node of the fourth to the reservation, but processors are counted here: the fourth is free for ever.
     */
    @ParameterizedTest
    @ValueSource(strings = {"FIRSTAVAILABLE", "LASTAVAILABLE", "MINRESOURCE"})
    void shouldAnswerByTheCountWhereProcessorsAreInterchangeable(String policy) {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("NODEALLOCATIONPOLICY " + policy)
                .nodes(2, 2)
                .submit("runs", 3, 100)
                .iterate(0)
                .submit("waits", 3, 200)
                .iterate(0);

        assertThat(ask(weir, RequestKind.SHOW_BACKFILL, "-"))
                .containsExactly(
                        "window: partition=DEFAULT tasks=1 nodes=1 offsetSeconds=0 durationSeconds=INFINITY start="
                                + at(11));
        assertThat(ask(weir, RequestKind.SHOW_START, "1@0:08:20", "method", "prio"))
                .containsExactly("estimate: method=prio start=" + at(11) + " end=" + at(511)
                        + " partition=DEFAULT nodes=1 procs=1");
        weir.submit("one", 1, 500).iterate(12);
        assertThat(weir.started()).containsExactly("one");
    }

    @Test
    void shouldShowWindowsFromTheLongestToTheWidest() {
        SchedulerFixture weir = new SchedulerFixture()
                .nodes(2, 8)
                .submit("runs", 8, 1000)
                .iterate(0)
                .submit("waits", 16, 50)
                .iterate(10)
                .end("runs", 20);
        weir.iterate(20);

        SchedulerFixture idle = new SchedulerFixture().nodes(2, 8).iterate(0);

        assertThat(ask(idle, RequestKind.SHOW_BACKFILL, "-"))
                .containsExactly(
                        "window: partition=DEFAULT tasks=16 nodes=2 offsetSeconds=0 durationSeconds=INFINITY start="
                                + at(11));
        assertThat(ask(idle, RequestKind.SHOW_BACKFILL, "-", "nodes", "3")).isEmpty();
        assertThat(ask(idle, RequestKind.SHOW_BACKFILL, "-", "procs", "17")).isEmpty();
        assertThat(ask(weir, RequestKind.SHOW_BACKFILL, "-")).isEmpty();
    }

    @Test
    void shouldLookAtNodesThatWouldDo() {
        SchedulerFixture weir = new SchedulerFixture()
                .node("n1", 8, NodeState.IDLE, report -> report.setFeatures(List.of("fast")))
                .node("n2", 8, NodeState.IDLE, report -> report.setPartition("other"))
                .iterate(0);

        assertThat(ask(weir, RequestKind.SHOW_BACKFILL, "-", "features", "fast"))
                .singleElement()
                .asString()
                .contains("partition=DEFAULT tasks=8 nodes=1");
        assertThat(ask(weir, RequestKind.SHOW_BACKFILL, "-", "partition", "other"))
                .singleElement()
                .asString()
                .contains("partition=other tasks=8");
        assertThat(ask(weir, RequestKind.SHOW_BACKFILL, "-")).hasSize(2);
    }

    /** Node n1 of four processors is reserved for jobs with the QOS qq. */
    @ParameterizedTest
    @CsvSource({
        "QOSCFG[qq] PRIORITY=1, user, u, 0",
        "QOSCFG[qq] PRIORITY=1, qos, qq, 4",
        "USERCFG[u] QDEF=qq, user, u, 4",
        "USERCFG[u] QDEF=qq, user, v, 0",
        "QOSCFG[qq] QFLAGS=USERESERVED:m, qos, qq, 4"
    })
    void shouldShowWhatTheQualityOfServiceMayUse(String line, String name, String value, int tasks) {
        SchedulerFixture weir = new SchedulerFixture()
                .policy(line + "\nSRCFG[m] PERIOD=INFINITY QOSLIST=qq HOSTLIST=n1")
                .nodes(1, 4)
                .iterate(0);

        assertThat(ask(weir, RequestKind.SHOW_BACKFILL, "-", name, value))
                .hasSize(tasks == 0 ? 0 : 1)
                .allMatch(window -> window.contains("tasks=" + tasks + " nodes=1"));
    }

    @Test
    void shouldShowNoNodeInUseWhereTheQualityOfServiceSharesNone() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("QOSCFG[qq] QFLAGS=DEDICATED")
                .nodes(1, 4)
                .adopt("r", 1, 1_000, 0, "n1")
                .iterate(0);

        assertThat(ask(weir, RequestKind.SHOW_BACKFILL, "-", "qos", "qq")).isEmpty();
        assertThat(ask(weir, RequestKind.SHOW_BACKFILL, "-", "qos", "other")).hasSize(1);
    }

    @Test
    void shouldShowForHowLongJobsMayUseAReservationTheyHaveToStayInside() {
        SchedulerFixture weir = new SchedulerFixture().nodes(2, 4).iterate(0);
        weir.request(
                "lock",
                RequestKind.CREATE_RESERVATION,
                "new",
                List.of(
                        new NameValue("hostexp", "n1"),
                        new NameValue("duration", "1000"),
                        new NameValue("acl", "USER==u&")));
        weir.iterate(1);

        assertThat(ask(weir, RequestKind.SHOW_BACKFILL, "-", "user", "u"))
                .containsExactly("window: partition=DEFAULT tasks=4 nodes=1 offsetSeconds=0 durationSeconds=990 start="
                        + at(11));
        assertThat(ask(weir, RequestKind.SHOW_BACKFILL, "-", "user", "v"))
                .containsExactly(
                        "window: partition=DEFAULT tasks=4 nodes=1 offsetSeconds=0 durationSeconds=INFINITY start="
                                + at(11));
    }

    @Test
    void shouldChangeNothingByAsking() {
        assertThat(run(true)).isEqualTo(run(false)).isNotEmpty();
    }

    /** Runs jobs over nodes of two kinds, with questions in between or without. */
    private List<Output> run(boolean curious) {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("RESERVATIONDEPTH 3\nRESERVATIONPOLICY HIGHEST")
                .node("n1", 8, NodeState.IDLE, report -> report.setFeatures(List.of("fast")))
                .nodes(2, 4);
        for (int i = 0; i < 30; i++) {
            weir.submit("j" + i, 1 + i * 7 % 12, 40 + i * 13 % 50);
            if (curious) {
                weir.request("s" + i, RequestKind.SHOW_START, "j" + i, List.of(new NameValue("method", "all")));
                weir.request("b" + i, RequestKind.SHOW_BACKFILL, "-");
            }
            weir.iterate(i * 10);
        }
        return weir.outputs.stream()
                .filter(output -> output.kind() != OutputKind.REQUEST_RESULT)
                .toList();
    }

    private List<String> ask(SchedulerFixture weir, RequestKind kind, String object, String... arguments) {
        String id = "q" + questions++;
        List<NameValue> given = new ArrayList<>();
        for (int i = 0; i < arguments.length; i += 2) {
            given.add(new NameValue(arguments[i], arguments[i + 1]));
        }
        weir.request(id, kind, object, given).iterate(weir.lastResult == null ? 0 : 11);
        for (RequestResult result : weir.lastAnswers()) {
            if (result.getRequestId().equals(id)) {
                return result.getOutcome() == RequestOutcome.ACCEPTED
                        ? result.getDetails().stream()
                                .map(line -> line.getName() + ": " + line.getValue())
                                .toList()
                        : Arrays.asList(result.getOutcome() + ": " + result.getMessage());
            }
        }
        throw new AssertionError("no answer to " + id);
    }

    private static Instant at(long time) {
        return Instant.ofEpochSecond(SchedulerFixture.T0 + time);
    }
}
