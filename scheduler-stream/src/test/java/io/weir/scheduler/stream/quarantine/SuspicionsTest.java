package io.weir.scheduler.stream.quarantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.journal.Input;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** What is remembered of failures from one start of the stream to the next. */
class SuspicionsTest {
    private static final Input INPUT = input(1);
    private static final Throwable FAILURE = new ArithmeticException("integer overflow");

    private final Suspicions suspicions = new Suspicions();

    @Test
    void shouldKnowNothingAtFirst() {
        assertThat(suspicions.verdict(INPUT)).isEmpty();
        assertThat(suspicions.isSuspect("alpha")).isFalse();
        assertThat(suspicions.isWary("alpha")).isFalse();
        assertThat(suspicions.isPatient("alpha")).isTrue();
        assertThat(suspicions.isUnfinished("alpha")).isFalse();
        assertThat(suspicions.halted("alpha")).isEmpty();
        assertThat(suspicions.halted()).isEmpty();
    }

    @Test
    void shouldHaveNobodyToBlameWhereNothingWasWorkedOn() {
        assertThat(suspicions.note(TaskStep.NONE, FAILURE)).isFalse();
        assertThat(suspicions.isSuspect("alpha")).isFalse();
    }

    @Test
    void shouldSetAnInputAsideAtItsSecondFailure() {
        assertThat(receive(INPUT)).isTrue();
        assertThat(suspicions.verdict(INPUT)).isEmpty();

        assertThat(receive(INPUT)).isTrue();

        assertThat(suspicions.verdict(INPUT)).hasValueSatisfying(verdict -> {
            assertThat(verdict.text()).isEqualTo("ArithmeticException: integer overflow");
            assertThat(verdict.failures()).isEqualTo(2);
            assertThat(verdict.early()).isTrue();
        });
        assertThat(suspicions.verdict(input(2))).isEmpty();
    }

    @Test
    void shouldGiveUpOnAnInputThatFailsThoughItIsSetAside() {
        receive(INPUT);
        receive(INPUT);
        assertThat(receive(INPUT))
                .as("setting it aside failed, perhaps by chance")
                .isTrue();

        assertThat(receive(INPUT)).isFalse();
    }

    @Test
    void shouldForgetAFailureOfAnInputThatIsTakenInAfterAll() {
        receive(INPUT);

        suspicions.taken(INPUT);
        receive(INPUT);

        assertThat(suspicions.verdict(INPUT)).isEmpty();
    }

    @Test
    void shouldNotForgetAnInputThatIsTakenInByBeingSetAside() {
        receive(INPUT);
        receive(INPUT);

        suspicions.taken(INPUT);

        assertThat(suspicions.verdict(INPUT)).isPresent();
    }

    @Test
    void shouldForgetTheOldestOfMoreThanAThousandInputs() {
        for (int offset = 0; offset < 1_000; offset++) {
            receive(input(offset));
            receive(input(offset));
        }
        assertThat(suspicions.verdict(input(0))).isPresent();

        receive(input(1_000));

        assertThat(suspicions.verdict(input(0))).isEmpty();
        assertThat(suspicions.verdict(input(1))).isPresent();
    }

    @Test
    void shouldTryAThousandInputsOnACopyAfterOneThatWasApplied() {
        assertThat(suspicions.note(new TaskStep.Applying("alpha", INPUT), FAILURE))
                .isTrue();

        for (int inputs = 1; inputs <= 1_000; inputs++) {
            assertThat(suspicions.isWary("beta")).isFalse();
            assertThat(suspicions.isWary("alpha")).as("input %s", inputs).isTrue();
        }
        assertThat(suspicions.isWary("alpha")).isFalse();
    }

    @Test
    void shouldBlameAnInputThatWasAppliedAndNotCallThatEarly() {
        suspicions.note(new TaskStep.Applying("alpha", INPUT), FAILURE);
        suspicions.note(new TaskStep.Applying("alpha", INPUT), FAILURE);

        assertThat(suspicions.verdict(INPUT)).map(Suspicion::early).contains(false);
    }

    @Test
    void shouldConvictAtOnceWhatFailsOnACopy() {
        suspicions.convict("alpha", INPUT, FAILURE);

        assertThat(suspicions.verdict(INPUT)).hasValueSatisfying(verdict -> {
            assertThat(verdict.failures()).isEqualTo(2);
            assertThat(verdict.early()).isFalse();
        });
        assertThat(suspicions.isWary("alpha")).isTrue();
    }

    @Test
    void shouldCountAConvictionAsOneFailureMoreWhereThereWereSome() {
        receive(INPUT);
        receive(INPUT);

        suspicions.convict("alpha", INPUT, FAILURE);

        assertThat(suspicions.verdict(INPUT)).map(Suspicion::failures).contains(3);
    }

    @Test
    void shouldBeWaryAnewAfterEveryConviction() {
        suspicions.convict("alpha", INPUT, FAILURE);
        for (int inputs = 1; inputs <= 999; inputs++) {
            suspicions.isWary("alpha");
        }

        suspicions.convict("alpha", input(2), FAILURE);

        assertThat(suspicions.isWary("alpha")).isTrue();
        assertThat(suspicions.isWary("alpha")).isTrue();
    }

    @Test
    void shouldWatchTwentyIterationsAfterOneThatFailed() {
        assertThat(iterate(7)).isTrue();
        assertThat(suspicions.isSuspect("alpha")).isTrue();
        assertThat(suspicions.isSuspect("beta")).isFalse();

        suspicions.iterated("alpha", 26);
        assertThat(suspicions.isSuspect("alpha")).isTrue();
        suspicions.iterated("alpha", 27);

        assertThat(suspicions.isSuspect("alpha")).isFalse();
    }

    @Test
    void shouldWatchTwentyMoreFromTheLastThatSomethingWasSetAsideFor() {
        iterate(7);
        suspicions.found("alpha", 20, true);

        suspicions.iterated("alpha", 39);
        assertThat(suspicions.isSuspect("alpha")).isTrue();
        suspicions.iterated("alpha", 40);

        assertThat(suspicions.isSuspect("alpha")).isFalse();
    }

    @Test
    void shouldHaltAClusterWhoseIterationFailsThoughItWasTriedOnACopy() {
        iterate(7);
        assertThat(suspicions.halted("alpha")).isEmpty();
        assertThat(suspicions.obstacle()).isEmpty();

        assertThat(iterate(8)).isTrue();

        assertThat(suspicions.obstacle())
                .contains("nothing is decided any more for [alpha], as iterations fail: ArithmeticException: integer"
                        + " overflow; mschedctl -r has them tried again");

        assertThat(suspicions.halted("alpha")).contains("ArithmeticException: integer overflow");
        assertThat(suspicions.halted()).containsOnlyKeys("alpha");
        assertThat(suspicions.halted("beta")).isEmpty();
    }

    @Test
    void shouldHaltAClusterThatFailsWhateverIsSetAside() {
        suspicions.halt("alpha", FAILURE);

        assertThat(suspicions.halted("alpha")).contains("ArithmeticException: integer overflow");
        assertThat(suspicions.isSuspect("alpha")).isTrue();
    }

    @Test
    void shouldTryAHaltedClusterAgainWhenItIsResumed() {
        iterate(7);
        suspicions.halt("alpha", FAILURE);

        suspicions.resume("alpha");

        assertThat(suspicions.halted("alpha")).isEmpty();
        assertThat(suspicions.halted()).isEmpty();
        suspicions.iterated("alpha", 26);
        assertThat(suspicions.isSuspect("alpha"))
                .as("watched as long as before")
                .isTrue();
        suspicions.iterated("alpha", 27);
        assertThat(suspicions.isSuspect("alpha")).isFalse();
    }

    @Test
    void shouldLeaveAloneWhatNobodySuspectsWhenItIsResumed() {
        suspicions.resume("alpha");
        suspicions.found("alpha", 7, false);

        assertThat(suspicions.isSuspect("alpha")).isFalse();
        assertThat(suspicions.isUnfinished("alpha")).isFalse();
    }

    @Test
    void shouldBePatientTwentyTimesInARow() {
        iterate(7);
        for (int round = 1; round <= 20; round++) {
            assertThat(suspicions.isPatient("alpha")).as("round %s", round).isTrue();
            suspicions.found("alpha", 8, false);
            assertThat(suspicions.isUnfinished("alpha")).isTrue();
        }
        assertThat(suspicions.isPatient("alpha")).isFalse();

        suspicions.found("alpha", 8, true);

        assertThat(suspicions.isPatient("alpha")).isTrue();
        assertThat(suspicions.isUnfinished("alpha")).isFalse();
    }

    @Test
    void shouldNameTheRootOfAFailureInOneLine() {
        Suspicion suspicion = Suspicion.after(
                null, false, new IllegalStateException("while planning", new ArithmeticException("over\nflow\t!")));

        assertThat(suspicion.text()).isEqualTo("ArithmeticException: over flow !");
        assertThat(suspicion.failures()).isEqualTo(1);
    }

    @Test
    void shouldCutWhatAFailureSaysToAThousandCharacters() {
        assertThat(Suspicion.after(null, false, new ArithmeticException("x".repeat(1_000)))
                        .message())
                .hasSize(1_000);
        assertThat(Suspicion.after(null, false, new ArithmeticException("x".repeat(1_001) + "y"))
                        .message())
                .hasSize(1_000);
    }

    @Test
    void shouldSayNullOfAFailureThatSaysNothing() {
        assertThat(Suspicion.after(null, false, new NullPointerException()).text())
                .isEqualTo("NullPointerException: null");
    }

    private boolean receive(Input input) {
        return suspicions.note(new TaskStep.Receiving(input), FAILURE);
    }

    private boolean iterate(long number) {
        return suspicions.note(new TaskStep.Iterating("alpha", number), FAILURE);
    }

    private static Input input(long offset) {
        return new Input("rm.jobs", 0, offset, 1, new RecordHeaders(), new byte[0], new byte[0]);
    }
}
