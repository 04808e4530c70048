package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.state.AnswerTable;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A request that comes again, through another API, after a restart, or late, is carried out once. */
class RepeatedRequestTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir =
            new SchedulerFixture().nodes(1, 1).submit("j", 2, HOUR).rebuildingAlways();

    @Test
    void shouldCarryOutOnceWhatComesTwice() {
        priority("r1", "+5").iterate(0);
        RequestResult first = only();
        priority("r1", "+5").iterate(1);

        assertThat(only()).isEqualTo(first);
        assertThat(first.getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        assertThat(first.getFingerprint()).isNotZero();
        assertThat(weir.job("j").getSystemPriority()).isEqualTo(5);
    }

    @Test
    void shouldCarryOutOnceWhatComesTwiceInOneIteration() {
        priority("r1", "+5");
        priority("r1", "+5").iterate(0);

        assertThat(weir.lastAnswers()).hasSize(2);
        assertThat(weir.lastAnswers().get(1)).isEqualTo(weir.lastAnswers().get(0));
        assertThat(weir.job("j").getSystemPriority()).isEqualTo(5);
    }

    @Test
    void shouldTakeAnotherWayOfWritingForTheSame() {
        weir.request("r1", RequestKind.CREATE_RESERVATION, "-", List.of(nv("h", "n1"), nv("d", "1:00:00")))
                .iterate(0);
        weir.request("r1", RequestKind.CREATE_RESERVATION, "-", List.of(nv("DURATION", "1:00:00"), nv("hosts", "n1")))
                .iterate(1);

        assertThat(only().getObjectId()).isEqualTo("system.1");
        assertThat(weir.publishedReservations).containsOnlyKeys("system.1");
    }

    @Test
    void shouldRefuseAnotherRequestUnderTheSameId() {
        priority("r1", "+5").iterate(0);
        priority("r1", "+6").iterate(1);
        assertThat(only().getMessage())
                .isEqualTo("request id r1 was used for another request; choose an id that is new");

        weir.request("r1", "eve", 1, RequestKind.SET_JOB_PRIORITY, "j", List.of(nv("priority", "+5")))
                .iterate(2);
        assertThat(only().getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(weir.job("j").getSystemPriority()).isEqualTo(5);
    }

    @Test
    void shouldRepeatARefusal() {
        weir.request("r1", RequestKind.CANCEL_JOB, "x").iterate(0);
        weir.submit("x", 2, HOUR).request("r1", RequestKind.CANCEL_JOB, "x").iterate(1);

        assertThat(only().getMessage()).isEqualTo("no job x");
        assertThat(weir.lastCommands()).isEmpty();
    }

    @Test
    void shouldRepeatALongRefusalWordForWord() {
        for (int i = 0; i < 2; i++) {
            weir.request("r1", RequestKind.SIGNAL_JOB, "j", List.of(nv("signal", "\uD83D\uDE00".repeat(1_990))))
                    .iterate(i);
        }
        RequestResult again = only();
        weir.request("r2", RequestKind.SIGNAL_JOB, "j", List.of(nv("signal", "\uD83D\uDE00".repeat(1_990))))
                .iterate(2);

        assertThat(again.getMessage()).hasSizeGreaterThan(3_000).isEqualTo(only().getMessage());
    }

    @Test
    void shouldRepeatThatAPrincipalMayNotThoughHeMayNow() {
        weir.policy("ADMINCFG[1] USERS=root").iterate(0);
        weir.requestBy("eve", "r1", RequestKind.SET_JOB_PRIORITY, "j", nv("priority", "+5"))
                .iterate(1);
        RequestResult refused = only();
        assertThat(refused.getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(refused.getFingerprint())
                .as("so that it is taken for no other request's")
                .isNotZero();

        weir.policy("ADMINCFG[1] USERS=root,eve").iterate(2);
        weir.requestBy("eve", "r1", RequestKind.SET_JOB_PRIORITY, "j", nv("priority", "+5"))
                .iterate(3);
        assertThat(only()).isEqualTo(refused);
        weir.requestBy("eve", "r2", RequestKind.SET_JOB_PRIORITY, "j", nv("priority", "+5"))
                .iterate(4);
        assertThat(only().getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
    }

    @Test
    void shouldRepeatWhatWasAcceptedThoughItsPrincipalMayNoLonger() {
        weir.policy("ADMINCFG[1] USERS=root,eve").iterate(0);
        weir.requestBy("eve", "r1", RequestKind.SET_JOB_PRIORITY, "j", nv("priority", "+5"))
                .iterate(1);
        RequestResult accepted = only();
        weir.policy("ADMINCFG[1] USERS=root").iterate(2);
        weir.requestBy("eve", "r1", RequestKind.SET_JOB_PRIORITY, "j", nv("priority", "+5"))
                .iterate(3);

        assertThat(only()).isEqualTo(accepted);
    }

    @Test
    void shouldNotCarryOutLaterWhatWasRefusedWhileSuspended() {
        suspend();
        priority("r1", "+5").iterate(1);
        assertThat(only().getMessage()).startsWith("scheduling is suspended");
        weir.request("r2", RequestKind.CONTROL_SCHEDULER, "-", List.of(nv("action", "resume")))
                .iterate(2);
        priority("r1", "+5").iterate(3);

        assertThat(only().getMessage()).startsWith("scheduling is suspended");
        priority("r3", "+5").iterate(4);
        assertThat(weir.job("j").getSystemPriority()).isEqualTo(5);
    }

    @Test
    void shouldNotCarryOutLaterWhatWasRefusedAsTooMuch() {
        for (int i = 0; i < 1_200; i++) {
            weir.request(
                    "r" + i,
                    RequestKind.CREATE_RESERVATION,
                    "-",
                    List.of(nv("hosts", "nobody"), nv("duration", "1:00:00")));
        }
        weir.iterate(0);
        List<String> busy = weir.lastAnswers().stream()
                .filter(answer -> String.valueOf(answer.getMessage()).startsWith("busy"))
                .map(RequestResult::getRequestId)
                .toList();
        assertThat(busy).isNotEmpty();

        weir.iterate(10)
                .request(
                        busy.get(0),
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(nv("hosts", "nobody"), nv("duration", "1:00:00")))
                .iterate(20);
        assertThat(only().getMessage()).startsWith("busy");
    }

    @Test
    void shouldNotForgetWhatWasCarriedOutForRefusals() {
        AnswerTable table = new AnswerTable();
        table.put(answer("done", 0, ""));
        for (int i = 1; i <= 2 * AnswerTable.MOST; i++) {
            table.put(io.weir.scheduler.state.AnsweredRequest.newBuilder(answer("no" + i, i, ""))
                    .setOutcome("REFUSED")
                    .build());
        }
        table.forget(0);

        assertThat(table.get("done")).isNotNull();
        assertThat(table.ids()).hasSize(AnswerTable.MOST + 1);
    }

    private void suspend() {
        weir.fact(io.weir.schemas.Quarantine.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setKind(io.weir.schemas.QuarantineKind.CLUSTER)
                .setId(SchedulerFixture.CLUSTER)
                .setCause("test")
                .setMessage("test")
                .setTime(SchedulerFixture.at(0))
                .setBuild("test")
                .build());
    }

    @Test
    void shouldForgetAfterADay() {
        priority("r1", "+5").iterate(0);
        priority("r1", "+5").iterate(AnswerTable.KEPT_SECONDS - 1);
        assertThat(weir.job("j").getSystemPriority()).isEqualTo(5);

        priority("r1", "+5").iterate(AnswerTable.KEPT_SECONDS);
        assertThat(weir.job("j").getSystemPriority()).isEqualTo(10);
    }

    @Test
    void shouldForgetTheOldestOfTooMany() {
        AnswerTable table = new AnswerTable();
        for (int i = 0; i <= AnswerTable.MOST; i++) {
            table.put(answer("r" + i, i, ""));
        }
        table.forget(0);
        assertThat(table.ids()).hasSize(AnswerTable.MOST);
        assertThat(table.get("r0")).isNull();
        assertThat(table.drain()).contains("r0").hasSize(AnswerTable.MOST + 1);

        table.put(answer("large", AnswerTable.MOST + 1, "x".repeat(AnswerTable.MOST_CHARACTERS)));
        table.forget(0);
        assertThat(table.ids()).isEmpty();
    }

    private static io.weir.scheduler.state.AnsweredRequest answer(String id, long number, String message) {
        return io.weir.scheduler.state.AnsweredRequest.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setRequestId(id)
                .setNumber(number)
                .setFingerprint(1)
                .setTime(0)
                .setIteration(1)
                .setOutcome("ACCEPTED")
                .setMessage(message)
                .build();
    }

    private SchedulerFixture priority(String id, String by) {
        return weir.request(id, RequestKind.SET_JOB_PRIORITY, "j", List.of(nv("priority", by)));
    }

    private RequestResult only() {
        assertThat(weir.lastAnswers()).hasSize(1);
        return weir.lastAnswers().get(0);
    }

    private static NameValue nv(String name, String value) {
        return new NameValue(name, value);
    }
}
