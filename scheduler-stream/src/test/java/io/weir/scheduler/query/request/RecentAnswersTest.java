package io.weir.scheduler.query.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.NameValue;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentAnswersTest {
    static {
        AvroTrust.install();
    }

    private final RecentAnswers recent = new RecentAnswers();

    @Test
    void shouldAnswerTheSameQuestionOnceInAnIteration() {
        RequestResult answer = answer(7);
        recent.keep(ask("ann:1", RequestKind.EXPLAIN_JOB, "17", "true"), answer);

        assertThat(recent.find(ask("bob:2", RequestKind.EXPLAIN_JOB, "17", "true"), 7))
                .contains(answer);
        assertThat(recent.find(ask("bob:2", RequestKind.EXPLAIN_JOB, "17", "true"), 8))
                .isEmpty();
    }

    @Test
    void shouldTellQuestionsApart() {
        recent.keep(ask("ann:1", RequestKind.EXPLAIN_JOB, "17", "true"), answer(7));

        assertThat(recent.find(ask("ann:2", RequestKind.EXPLAIN_JOB, "18", "true"), 7))
                .isEmpty();
        assertThat(recent.find(ask("ann:3", RequestKind.EXPLAIN_JOB, "17", "false"), 7))
                .isEmpty();
        assertThat(recent.find(ask("ann:4", RequestKind.SHOW_START, "17", "true"), 7))
                .isEmpty();
    }

    /** What the scheduler refuses, it may refuse because of who asks. */
    @Test
    void shouldRefuseNobodyForAnother() {
        RequestResult refusal = RequestResult.newBuilder(answer(7))
                .setOutcome(RequestOutcome.REFUSED)
                .build();
        recent.keep(ask("ann:1", RequestKind.EXPLAIN_JOB, "17", "true"), refusal);

        assertThat(recent.find(ask("bob:2", RequestKind.EXPLAIN_JOB, "17", "true"), 7))
                .isEmpty();
        assertThat(recent.find(ask("ann:3", RequestKind.EXPLAIN_JOB, "17", "true"), 7))
                .contains(refusal);
    }

    @Test
    void shouldForgetTheOldestOfTooManyOrTooLargeOnes() {
        RequestResult large = RequestResult.newBuilder(answer(7))
                .setDetails(List.of(new NameValue("line", "x".repeat(250_000))))
                .build();
        for (int i = 0; i < 200; i++) {
            recent.keep(ask("ann:1", RequestKind.EXPLAIN_JOB, "j" + i, "true"), large);
        }
        assertThat(recent.size()).isBetween(60, 67);
        assertThat(recent.find(ask("ann:1", RequestKind.EXPLAIN_JOB, "j199", "true"), 7))
                .isPresent();

        for (int i = 0; i < 2_000; i++) {
            recent.keep(ask("ann:1", RequestKind.EXPLAIN_JOB, "k" + i, "true"), answer(7));
        }
        assertThat(recent.size()).isEqualTo(1_000);
    }

    private static RequestResult answer(long iteration) {
        return RequestResult.newBuilder()
                .setCluster("kth")
                .setRequestId("ann:1")
                .setOutcome(RequestOutcome.ACCEPTED)
                .setIteration(iteration)
                .build();
    }

    private static Request ask(String id, RequestKind kind, String object, String verbose) {
        return Request.newBuilder()
                .setCluster("kth")
                .setRequestId(id)
                .setPrincipal(id.substring(0, 3))
                .setKind(kind)
                .setObjectId(object)
                .setTime(Instant.EPOCH)
                .setArguments(List.of(new NameValue("verbose", verbose)))
                .build();
    }
}
