package io.weir.scheduler.query.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.NameValue;
import io.weir.schemas.Request;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.topics.AvroTrust;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LivePrioritiesTest {
    static {
        AvroTrust.install();
    }

    private final List<Request> asked = new ArrayList<>();
    private final LivePriorities priorities = new LivePriorities((request, fingerprint, patience) -> answer(request));
    private long iteration = 7;
    private String first = "a";
    private boolean silent;

    @Test
    void shouldAskOnceForEachIterationThatIsLookedAt() throws InterruptedException {
        assertThat(priorities.of("kth", 7).place("a")).isZero();
        assertThat(priorities.of("kth", 7).place("a")).isZero();
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0).getArguments()).containsExactly(new NameValue("form", "brief"));

        iteration = 9;
        first = "b";
        assertThat(priorities.of("kth", 8).place("b")).isZero();
        assertThat(priorities.of("kth", 9).place("b")).isZero();
        assertThat(asked).hasSize(2);
    }

    @Test
    void shouldPauseAfterASchedulerThatDoesNotAnswer() throws InterruptedException {
        silent = true;
        assertThat(priorities.of("kth", 7)).isSameAs(PriorityRanking.UNKNOWN);
        assertThat(priorities.of("kth", 8)).isSameAs(PriorityRanking.UNKNOWN);

        assertThat(asked).hasSize(1);
    }

    private Optional<RequestResult> answer(Request request) {
        asked.add(request);
        return silent
                ? Optional.empty()
                : Optional.of(RequestResult.newBuilder()
                        .setCluster("kth")
                        .setRequestId(request.getRequestId())
                        .setOutcome(RequestOutcome.ACCEPTED)
                        .setIteration(iteration)
                        .setDetails(List.of(new NameValue("ranks", "5 " + first)))
                        .build());
    }
}
