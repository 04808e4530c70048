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
