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
import io.weir.schemas.Charge;
import io.weir.schemas.JobStatus;
import io.weir.schemas.Notification;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.RequestResult;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import io.weir.schemas.TriggerFiring;
import io.weir.topics.AvroPayload;
import io.weir.topics.RecordSize;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

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

    /** A batch of one record counts 128 bytes, each header 12 beside its name and value. */
    @Test
    void shouldTakeARecordOfExactlyTheSizeOfItsTopic() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("name", new byte[5]);
        headers.add("none", null);
        int rest = MOST - 128 - KEY.length - (12 + 4 + 5) - (12 + 4);

        assertThatCode(() -> limits.check(Topics.JOBS, KEY, new byte[rest], headers))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> limits.check(Topics.JOBS, KEY, new byte[rest + 1], headers))
                .isInstanceOf(UnfitOutputException.class)
                .hasMessage("record alpha/j1 for jobs has " + (MOST + 1) + " bytes; " + MOST + " are allowed");
    }

    @Test
    void shouldSayWhatIsUnfitThoughItHasNoKey() {
        assertThatThrownBy(() -> limits.check(Topics.JOBS, null, new byte[MOST], new RecordHeaders()))
                .isInstanceOf(UnfitOutputException.class)
                .hasMessageStartingWith("record  for jobs has " + (MOST + 128) + " bytes");
    }

    @Test
    void shouldTakeAStoredValueOfEightKilobytesLessThanTheLargestRecord() {
        int most = RecordSize.LARGEST - 8_192;

        assertThatCode(() -> limits.checkStored("k", new byte[most])).doesNotThrowAnyException();
        assertThatThrownBy(() -> limits.checkStored("k", new byte[most + 1]))
                .isInstanceOf(UnfitOutputException.class)
                .hasMessage("stored record k has " + (most + 1) + " bytes; " + most + " are allowed");
    }

    @Test
    void shouldTakeInWhatEachTopicAllows() {
        assertThat(limits.mostInput(Topics.RM_HEARTBEATS)).isEqualTo(RecordSize.mostInput(Topics.RM_HEARTBEATS));
        assertThat(limits.mostInput(Topics.JOURNAL)).isEqualTo(RecordSize.mostInput(Topics.JOURNAL));
    }

    @Test
    void shouldLetEverythingThroughWithoutLimits() {
        OutputLimits none = OutputLimits.none();

        assertThatCode(() -> none.check(Topics.JOBS, KEY, new byte[MOST + 1], new RecordHeaders()))
                .doesNotThrowAnyException();
        assertThatCode(() -> none.checkStored("k", new byte[RecordSize.LARGEST]))
                .doesNotThrowAnyException();
        assertThat(none.mostInput(Topics.RM_HEARTBEATS)).isEqualTo(Integer.MAX_VALUE);
    }

    /** Of an output's topic 256 bytes are for what surrounds the value, and three for each character of its key. */
    @Test
    void shouldTakeAnOutputWhoseValueLeavesRoomForWhatSurroundsIt() {
        Suspect suspect = new Suspect(QuarantineKind.TRIGGER, "t");
        TriggerFiring firing = TriggerFiring.newBuilder()
                .setCluster("alpha")
                .setFiringId("t")
                .setTriggerId("t")
                .setIteration(1)
                .setTime(Instant.EPOCH)
                .setActionType("exec")
                .setAction("run")
                .setObjectType("node")
                .setObjectId("n1")
                .build();
        Output output = new Output(OutputKind.TRIGGER_FIRING, "alpha/t", firing);
        int size = AvroPayload.encode(firing).length;
        int most = size + 256 + 3 * "alpha/t".length();

        assertThatCode(() -> new OutputLimits(topic -> most).check(result(List.of(), List.of(output))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> new OutputLimits(topic -> most - 1).check(result(List.of(), List.of(output))))
                .isInstanceOfSatisfying(
                        UnfitOutputException.class,
                        unfit -> assertThat(unfit.suspect()).contains(suspect))
                .hasMessage(
                        "record alpha/t for trigger-firings has " + size + " bytes; " + (size - 1) + " are allowed");
    }

    @Test
    void shouldTakeTombstones() {
        assertThatCode(() -> limits.check(result(
                        List.of(new Change(EntityKind.JOB, "j1", null)),
                        List.of(new Output(OutputKind.JOB, "alpha/j1", null)))))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "NODE, NODE",
        "NODE_CATEGORY, NODE",
        "COMMAND, JOB",
        "DECISION, JOB",
        "EXPLANATION, JOB",
        "NONSTOP_EVENT, JOB",
        "PLUGIN_QUESTION, PLUGIN_QUESTION",
        "TRIGGER_FIRING, TRIGGER"
    })
    void shouldLayAnOutputToTheObjectOfItsKey(OutputKind kind, QuarantineKind object) {
        assertThat(suspect(new Output(kind, "alpha/x", new JobStatus()))).contains(new Suspect(object, "x"));
    }

    @Test
    void shouldLayAReservationToItsJobWhereItIsOneOfAJob() {
        assertThat(suspect(new Output(OutputKind.RESERVATION, "alpha/x", reservation(ReservationType.STANDING))))
                .contains(new Suspect(QuarantineKind.RESERVATION, "x"));
        assertThat(suspect(new Output(OutputKind.RESERVATION, "alpha/x", reservation(ReservationType.PRIORITY))))
                .contains(new Suspect(QuarantineKind.JOB, "x"));
        assertThat(suspect(new Change(EntityKind.RESERVATION, "x", reservation(ReservationType.ADMINISTRATIVE))))
                .contains(new Suspect(QuarantineKind.RESERVATION, "x"));
    }

    @Test
    void shouldLayAChargeToItsJobAndToNothingElse() {
        assertThat(suspect(new Output(OutputKind.CHARGE, "alpha/1", charge("job", "j7"))))
                .contains(new Suspect(QuarantineKind.JOB, "j7"));
        assertThat(suspect(new Output(OutputKind.CHARGE, "alpha/1", charge("rsv", "r7"))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"NODE, NODE", "HISTORY, NODE", "CATEGORY, NODE", "EXPLANATION, JOB", "LIEN, JOB", "ANSWER, REQUEST"})
    void shouldLayAChangeToTheObjectThatChanged(EntityKind kind, QuarantineKind object) {
        assertThat(suspect(new Change(kind, "x", new JobStatus()))).contains(new Suspect(object, "x"));
    }

    @ParameterizedTest
    @EnumSource(
            value = EntityKind.class,
            names = {"DOMAIN", "POLICY", "FAIRSHARE", "EVENT"})
    void shouldLayAChangeOfTheClusterToNoObject(EntityKind kind) {
        assertThat(suspect(new Change(kind, "x", new JobStatus()))).isEmpty();
    }

    private Optional<Suspect> suspect(Change change) {
        try {
            limits.check(List.of(change));
        } catch (UnfitOutputException e) {
            return e.suspect();
        }
        throw new AssertionError(change + " is fit");
    }

    private static SpecificRecord reservation(ReservationType type) {
        ReservationStatus status = new ReservationStatus();
        status.put("type", type);
        return status;
    }

    private static SpecificRecord charge(String type, String id) {
        Charge charge = new Charge();
        charge.put("objectType", type);
        charge.put("objectId", id);
        return charge;
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
        return new IterationResult(1, Instant.EPOCH, changes, outputs, null, List.of(), "", List.of(), List.of(), true);
    }
}
