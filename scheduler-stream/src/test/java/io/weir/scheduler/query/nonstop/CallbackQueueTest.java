package io.weir.scheduler.query.nonstop;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.query.nonstop.CallbackQueue.Message;
import io.weir.scheduler.query.nonstop.CallbackQueue.Target;
import io.weir.schemas.NonstopEventKind;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CallbackQueueTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final CallbackQueue queue = new CallbackQueue();

    private static Target at(String host, int job) {
        return new Target("c", Integer.toString(job), "http://" + host + ":9000/" + job);
    }

    private void add(Target target, long now) {
        assertThat(queue.add(target, NonstopEventKind.NODE_FAILED, "c/1/0", now))
                .isTrue();
    }

    private void fail(List<Target> called, long now) {
        called.forEach(target ->
                assertThat(queue.end(target, queue.take(target), false, now)).isFalse());
    }

    @Test
    void shouldCallAHostThatDoesNotAnswerAFewTimesAtOnceOnly() {
        for (int job = 0; job < 300; job++) {
            add(at("dead", job), 0);
        }
        assertThat(queue.due(0)).hasSize(CallbackQueue.MOST_TO_A_HOST);

        Target live = at("live", 1);
        add(live, SECOND);

        assertThat(queue.due(SECOND)).containsExactly(live);
    }

    @Test
    void shouldLeaveHalfOfTheCallsToThoseThatDidNotFail() {
        for (int job = 0; job < 1_000; job++) {
            add(at("dead" + job, job), 0);
        }
        for (int round = 0; round < 1_000 / CallbackQueue.MOST_CALLS + 1; round++) {
            fail(queue.due(0), 0);
        }
        assertThat(queue.due(10 * SECOND)).hasSize(CallbackQueue.MOST_REPEATED);

        Target live = at("live", 1);
        add(live, 11 * SECOND);

        assertThat(queue.due(11 * SECOND)).containsExactly(live);
    }

    @Test
    void shouldTryThoseFirstThatWereTriedLeast() {
        Target twice = at("a", 1);
        add(twice, 0);
        fail(queue.due(0), 0);
        fail(queue.due(SECOND), SECOND);
        Target once = at("b", 2);
        add(once, SECOND);
        fail(queue.due(SECOND), SECOND);
        Target never = at("c", 3);
        add(never, 5 * SECOND);

        assertThat(queue.due(5 * SECOND)).containsExactly(never, once, twice);
    }

    @Test
    void shouldWaitLongerBetweenCallsTheMoreFailed() {
        Target target = at("a", 1);
        add(target, 0);
        fail(queue.due(0), 0);
        assertThat(queue.due(SECOND - 1)).isEmpty();
        fail(queue.due(SECOND), SECOND);
        assertThat(queue.due(3 * SECOND - 1)).isEmpty();
        assertThat(queue.due(3 * SECOND)).containsExactly(target);
    }

    @Test
    void shouldTellAgainWhatWasNotTakenWithWhatHappenedSince() {
        Target target = at("a", 1);
        add(target, 0);
        Message first = queue.take(queue.due(0).get(0));
        queue.add(target, NonstopEventKind.NODE_REPLACED, "c/2/0", 0);
        assertThat(queue.end(target, first, false, 0)).isFalse();

        Message second = queue.take(queue.due(SECOND).get(0));

        assertThat(second.kinds()).containsExactly(NonstopEventKind.NODE_FAILED, NonstopEventKind.NODE_REPLACED);
        assertThat(second.lastEvent()).isEqualTo("c/2/0");
        assertThat(queue.end(target, second, true, SECOND)).isTrue();
        assertThat(queue.size()).isZero();
    }

    @Test
    void shouldGiveUpAfterAnHour() {
        Target target = at("a", 1);
        add(target, 0);
        long later = 3_600 * SECOND;
        List<Target> due = queue.due(later);

        assertThat(queue.end(target, queue.take(due.get(0)), false, later)).isTrue();
        assertThat(queue.size()).isZero();
    }
}
