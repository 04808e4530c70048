package io.weir.scheduler.stream.quarantine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.output.OutputKind;
import io.weir.scheduler.core.quarantine.Suspect;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.schemas.JobStatus;
import io.weir.schemas.Notification;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.RequestResult;
import io.weir.topics.RecordSize;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class OutputLimitsTest {
    private static final int MOST = RecordSize.most(Topics.JOBS);
    private static final byte[] KEY = "alpha/j1".getBytes(StandardCharsets.UTF_8);

    private final OutputLimits limits = new OutputLimits();

    @Test
    void shouldTakeWhatFitsAndNameWhatDoesNot() {
        assertThatCode(() -> limits.check(Topics.JOBS, KEY, new byte[MOST - 1_000], new RecordHeaders()))
                .doesNotThrowAnyException();
        assertThatCode(() -> limits.check(Topics.JOURNAL, KEY, new byte[MOST], new RecordHeaders()))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> limits.check(Topics.JOBS, KEY, new byte[MOST], new RecordHeaders()))
                .isInstanceOf(UnfitOutputException.class)
                .hasMessageContaining("record alpha/j1 for jobs has");
    }

    @Test
    void shouldCountHeaders() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("padding", new byte[MOST]);

        assertThatThrownBy(() -> limits.check(Topics.JOBS, KEY, null, headers))
                .isInstanceOf(UnfitOutputException.class);
    }

    @Test
    void shouldLayARecordThatCannotBeEncodedToItsObject() {
        assertThat(suspect(new Output(OutputKind.JOB, "alpha/j1", new JobStatus())))
                .contains(new Suspect(QuarantineKind.JOB, "j1"));
        assertThat(suspect(new Output(OutputKind.REQUEST_RESULT, "alpha/r1", new RequestResult())))
                .contains(new Suspect(QuarantineKind.REQUEST, "r1"));
        assertThat(suspect(new Output(OutputKind.NOTIFICATION, "alpha/1/1", notice("job", "j7"))))
                .contains(new Suspect(QuarantineKind.JOB, "j7"));
        assertThat(suspect(new Output(OutputKind.NOTIFICATION, "alpha/1/1", notice("node", "n7"))))
                .isEmpty();
    }

    @Test
    void shouldLayAStoredRecordToItsObject() {
        IterationResult result = result(List.of(new Change(EntityKind.JOB, "j1", new JobStatus())), List.of());

        assertThatThrownBy(() -> limits.check(result))
                .isInstanceOfSatisfying(
                        UnfitOutputException.class,
                        unfit -> assertThat(unfit.suspect()).contains(new Suspect(QuarantineKind.JOB, "j1")));
    }

    private Optional<Suspect> suspect(Output output) {
        try {
            limits.check(result(List.of(), List.of(output)));
        } catch (UnfitOutputException e) {
            return e.suspect();
        }
        throw new AssertionError(output + " is fit");
    }

    private static SpecificRecord notice(String type, String id) {
        Notification notice = new Notification();
        notice.put("objectType", type);
        notice.put("objectId", id);
        return notice;
    }

    private static IterationResult result(List<Change> changes, List<Output> outputs) {
        return new IterationResult(1, Instant.EPOCH, changes, outputs, null, List.of(), "", List.of(), List.of());
    }
}
