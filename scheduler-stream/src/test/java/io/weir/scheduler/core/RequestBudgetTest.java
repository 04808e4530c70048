package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.request.WaitingRequests;
import io.weir.scheduler.core.state.RequestBudget;
import io.weir.scheduler.state.PendingRequest;
import io.weir.scheduler.state.RequestSpending;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What requests may cost in a second, and what becomes of those that cost more. */
@NullUnmarked
class RequestBudgetTest {
    private static final long HOUR = 3600;

    /** Makes a question about when a job could start cost some 1,000 looks, and one change of a reservation 1,700. */
    private final SchedulerFixture weir = new SchedulerFixture().nodes(300, 1);

    @Test
    void shouldLetNobodySpendMoreThanTheShareOfOne() {
        RequestBudget budget = new RequestBudget();
        budget.at(1);
        budget.charge("ann", true, RequestBudget.QUESTIONS_EACH);

        assertThat(budget.open("ann", true)).isFalse();
        assertThat(budget.open("ann", false)).as("changes").isTrue();
        assertThat(budget.open("bob", true)).isTrue();
        budget.charge("bob", true, RequestBudget.QUESTIONS);
        assertThat(budget.open("eve", true)).as("all is spent").isFalse();
        budget.at(1);
        assertThat(budget.open("eve", true)).isFalse();
        budget.at(2);
        assertThat(budget.open("ann", true)).isTrue();
    }

    @Test
    void shouldAnswerWhatABudgetHoldsAndTheRestASecondLater() {
        questions("ann", 150);
        weir.rebuildingAlways().iterate(0);
        int answered = weir.lastAnswers().size();

        assertThat(spent("ann")).isBetween(RequestBudget.QUESTIONS_EACH, 2 * RequestBudget.QUESTIONS_EACH);
        assertThat(answered).isBetween(20, 149);
        assertThat(weir.domain().getRequests()).hasSize(150 - answered);
        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(1));
        weir.iterate(0);
        assertThat(weir.lastAnswers()).as("in the same second").isEmpty();
        for (int second = 1; second < 10; second++) {
            weir.iterate(second);
        }
        assertThat(answers("ann")).hasSize(150).allMatch(answer -> answer.getOutcome() == RequestOutcome.ACCEPTED);
        assertThat(weir.domain().getRequests()).isEmpty();
    }

    @Test
    void shouldRefuseWhatCannotWaitAndAnswerTheOthers() {
        questions("ann", 1_000);
        questions("bob", 1);
        weir.iterate(0);

        assertThat(weir.domain().getRequests())
                .hasSize(WaitingRequests.MOST_EACH)
                .extracting(PendingRequest::getPrincipal)
                .containsOnly("ann");
        assertThat(answers("ann"))
                .filteredOn(answer -> answer.getOutcome() == RequestOutcome.REFUSED)
                .isNotEmpty()
                .allMatch(answer -> String.valueOf(answer.getMessage()).startsWith("busy: too many requests wait"));
        assertThat(answers("bob")).hasSize(1);
        assertThat(answers("bob").get(0).getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
    }

    @Test
    void shouldShareTheAnswerToEqualQuestions() {
        for (int i = 0; i < 90; i++) {
            weir.requestBy("ann", "q" + i, RequestKind.SHOW_START, "1@1:00:00", new NameValue("method", "all"));
        }
        weir.iterate(0);

        assertThat(weir.lastAnswers()).hasSize(90);
        assertThat(spent("ann")).isLessThan(10_000);
        assertThat(weir.lastAnswers()).extracting(RequestResult::getRequestId).doesNotHaveDuplicates();
    }

    @Test
    void shouldSpreadAFloodOfChangesOverSeconds() {
        weir.submit("j", 301, HOUR);
        for (int i = 0; i < 800; i++) {
            weir.requestBy("ann", "c" + i, RequestKind.MODIFY_JOB, "j", new NameValue("variable", "v=" + i));
        }
        weir.iterate(0);
        int first = weir.lastAnswers().size();
        weir.iterate(1);

        assertThat(first).isEqualTo((int) (RequestBudget.CHANGES_EACH / 200));
        assertThat(weir.lastAnswers()).hasSize(800 - first);
        assertThat(answers("ann")).allMatch(answer -> answer.getOutcome() == RequestOutcome.ACCEPTED);
        assertThat(weir.job("j").getMarks()).containsExactly(new NameValue("variable v", "799"));
    }

    @Test
    void shouldLimitTheReservationsOfAUser() {
        weir.policy("RSVCTLPOLICY ANY").iterate(0);
        for (int i = 1; i <= 25; i++) {
            weir.requestBy("ann", "r" + i, RequestKind.CREATE_RESERVATION, "-", new NameValue("h", "^n" + i + "$"));
        }
        weir.iterate(1);

        assertThat(weir.publishedReservations).hasSize(20);
        assertThat(weir.lastAnswers().get(24).getMessage())
                .isEqualTo("ann has 20 reservations already; release one, or ask an operator");
    }

    /** What an estimate behind a long queue costs is limited: it says how many jobs it leaves out. */
    @Test
    void shouldEstimateInPartBehindALongQueue() {
        for (int i = 0; i < 1_100; i++) {
            weir.submit("j" + i, 300, HOUR);
        }
        weir.iterate(0);
        weir.requestBy("ann", "q", RequestKind.SHOW_START, "j1099", new NameValue("method", "prio"))
                .iterate(1);

        assertThat(weir.lastAnswers().get(0).getMessage())
                .matches("of the jobs ahead \\d+ were left out of the estimate by prio, so it may start later");
        assertThat(spent("ann")).isLessThan(RequestBudget.QUESTION + 10_000);
    }

    private void questions(String principal, int count) {
        for (int i = 0; i < count; i++) {
            weir.requestBy(
                    principal, principal + i, RequestKind.SHOW_START, "1@" + (i + 1), new NameValue("method", "all"));
        }
    }

    private List<RequestResult> answers(String principal) {
        return weir.outputs.stream()
                .map(Output::value)
                .filter(RequestResult.class::isInstance)
                .map(RequestResult.class::cast)
                .filter(answer -> answer.getRequestId().startsWith(principal)
                        || (principal.equals("ann") && answer.getRequestId().startsWith("c")))
                .toList();
    }

    private long spent(String principal) {
        return weir.domain().getSpending().stream()
                .filter(spending -> spending.getPrincipal().equals(principal))
                .mapToLong(RequestSpending::getQuestions)
                .sum();
    }
}
