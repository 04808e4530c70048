package io.weir.scheduler.query.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.schemas.NameValue;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.service.http.HttpRefusal;
import io.weir.topics.AvroTrust;
import io.weir.topics.EntityKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class KnownAnswersTest {
    static {
        AvroTrust.install();
    }

    private final KnownAnswers known = new KnownAnswers(3, 10_000);

    @Test
    void shouldSendARequestOnceAndGiveItsAnswerToAll() {
        assertThat(known.expect(key("a"), 7).first()).isTrue();
        assertThat(known.expect(key("a"), 7).first()).isFalse();
        known.take(answer("a", 7, "done"));

        assertThat(known.expect(key("a"), 7).answer()).isCompletedWithValue(answer("a", 7, "done"));
        assertThat(known.find(key("a"))).contains(answer("a", 7, "done"));
    }

    @Test
    void shouldRefuseAnotherRequestUnderTheSameId() {
        known.take(answer("a", 7, "done"));

        assertThatThrownBy(() -> known.expect(key("a"), 8))
                .isInstanceOf(HttpRefusal.class)
                .hasMessageContaining("requestId was used for another request")
                .extracting(e -> ((HttpRefusal) e).status())
                .isEqualTo(409);
    }

    /** Two APIs were given one id for two requests: each of them waits for the answer to its own. */
    @Test
    void shouldWaitForTheAnswerToItsOwnRequest() {
        KnownAnswers.Expected mine = known.expect(key("a"), 8);
        known.take(answer("a", 7, "the other's"));
        assertThat(mine.answer()).isNotDone();
        known.take(answer("a", 8, "request id a was used"));
        assertThat(mine.answer()).isDone();
    }

    @Test
    void shouldTellAllWhoWaitThatARequestWasNotSent() {
        KnownAnswers.Expected first = known.expect(key("a"), 7);
        KnownAnswers.Expected second = known.expect(key("a"), 7);
        known.forget(key("a"), new IllegalStateException("broker away"));

        assertThat(first.answer()).isCompletedExceptionally();
        assertThat(second.answer()).isCompletedExceptionally();
        assertThat(known.find(key("a"))).isEmpty();
        assertThat(known.expect(key("a"), 7).first()).isTrue();
    }

    /** A request may have been written though the broker's confirmation did not come in time. */
    @Test
    void shouldKeepTheAnswerToARequestOfWhichNobodyKnowsWhetherItWasSent() {
        KnownAnswers.Expected first = known.expect(key("a"), 7);
        known.take(answer("a", 7, "done"));

        assertThat(known.forget(key("a"), new IllegalStateException("no confirmation")))
                .contains(answer("a", 7, "done"));
        assertThat(first.answer()).isCompletedWithValue(answer("a", 7, "done"));
        assertThat(known.expect(key("a"), 7).first()).isFalse();
    }

    @Test
    void shouldForgetTheOldestOfTooMany() {
        for (String id : List.of("a", "b", "c", "d")) {
            known.take(answer(id, 1, id));
        }
        assertThat(known.size()).isEqualTo(3);
        assertThat(known.find(key("a"))).isEmpty();
        assertThat(known.find(key("d"))).isPresent();
    }

    @Test
    void shouldForgetTheOldestOfTooLargeOnes() {
        known.take(answer("a", 1, "x".repeat(6_000)));
        known.take(answer("b", 1, "x".repeat(6_000)));

        assertThat(known.find(key("a"))).isEmpty();
        assertThat(known.find(key("b"))).isPresent();
    }

    private static EntityKey key(String id) {
        return new EntityKey("kth", id);
    }

    private static RequestResult answer(String id, long fingerprint, String line) {
        return RequestResult.newBuilder()
                .setCluster("kth")
                .setRequestId(id)
                .setOutcome(RequestOutcome.ACCEPTED)
                .setIteration(1)
                .setDetails(List.of(new NameValue("line", line)))
                .setFingerprint(fingerprint)
                .build();
    }
}
