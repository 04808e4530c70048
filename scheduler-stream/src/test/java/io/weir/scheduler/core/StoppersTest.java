package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.state.NodeRecord;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.bound.Limit;
import io.weir.topics.RecordSize;
import io.weir.topics.Topics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs each of which stopped a cluster for good, or would have grown a record until it did. */
@NullUnmarked
class StoppersTest {
    private final SchedulerFixture weir = new SchedulerFixture();
    private int requests;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x=nodes:1000000:ppn=1000000",
                "nodes=1000000:ppn=1000000",
                "nodes=1000000:ppn=5+1000000:ppn=6",
                "procs=999999999,tpn=999999999"
            })
    void shouldSayThatAnExtensionAsksForTooMuch(String extension) {
        weir.nodes(1, 1).submit("j", 1, 60, job -> job.setExtension(extension)).iterate(0);

        assertThat(weir.job("j").getMessages())
                .anySatisfy(message -> assertThat(message).contains("ignored"));
        assertThat(weir.job("j").getTasks()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 4_102_444_800_000L, Long.MAX_VALUE})
    void shouldTurnAwayAStartNobodyCanWrite(long millis) {
        JobReport job = weir.job("j", JobState.IDLE, 1, 1, 60, 0, null, null, List.of(), 0);

        assertThat(weir.check(JobReport.newBuilder(job)
                        .setStartAfter(Instant.ofEpochMilli(millis))
                        .build()))
                .hasValueSatisfying(rejection -> assertThat(rejection.message()).startsWith("startAfter is "));
    }

    @Test
    void shouldNotLoseAJobOverWhatItsOwnerWrote() {
        weir.nodes(1, 1)
                .submit("j", 1, 60, job -> job.setName("\u0000".repeat(100_000)).setExtension("x".repeat(90_000)))
                .iterate(0);

        assertThat(weir.started()).containsExactly("j");
        assertThat(weir.job("j").getName()).hasSize(Limit.NAME_LENGTH);
        assertThat(weir.job("j").getExtension()).hasSize(Limit.EXTENSION_LENGTH);
    }

    @Test
    void shouldKeepTheLatestMessagesOfAJob() {
        weir.nodes(1, 1).submit("j", 2, 60);
        for (int i = 0; i < 150; i++) {
            weir.request(
                    "q" + i, RequestKind.MODIFY_JOB, "j", List.of(new NameValue("message", i + "m".repeat(5_000))));
        }
        weir.iterate(0);

        assertThat(weir.job("j").getMessages()).hasSizeLessThanOrEqualTo(64);
        assertThat(weir.job("j").getMessages()).anyMatch(message -> message.startsWith("149m"));
        assertThat(size(weir.job("j"))).isLessThan(100_000);
    }

    @Test
    void shouldRefuseVariablesBeyondTheirBudget() {
        weir.nodes(1, 1).submit("j", 2, 60);
        List<RequestOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            outcomes.add(modify("variable", "v" + i + "=" + "x".repeat(1_000)));
        }

        assertThat(outcomes).contains(RequestOutcome.ACCEPTED).endsWith(RequestOutcome.REFUSED);
        assertThat(size(weir.job("j"))).isLessThan(50_000);
    }

    @Test
    void shouldAnswerARequestWhoseWordsAreOutOfBounds() {
        weir.nodes(1, 1).submit("j", 2, 60);
        modify("message", "m".repeat(Limit.ARGUMENT_LENGTH + 1));

        assertThat(weir.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(weir.lastAnswers().get(0).getMessage()).contains("arguments[0].value has 65537 characters");
    }

    @Test
    void shouldAnswerRequestsThatComeWhenTooManyWait() {
        weir.nodes(1, 1).submit("j", 2, 60);
        for (int i = 0; i < 30; i++) {
            weir.request("q" + i, RequestKind.MODIFY_JOB, "j", List.of(new NameValue("message", "m".repeat(60_000))));
        }
        assertThat(size(weir.domain())).isLessThan(RecordSize.most(Topics.JOURNAL) / 4);
        weir.iterate(0);

        assertThat(weir.lastAnswers()).hasSize(30);
        assertThat(weir.lastAnswers().get(29).getMessage()).contains("ask again later");
    }

    @Test
    void shouldTurnAwayRequestsOnceNoneCanWait() {
        Request request = new Request(
                SchedulerFixture.CLUSTER,
                "q",
                "a".repeat(256),
                RequestKind.HOLD_JOB,
                "j",
                null,
                Instant.EPOCH,
                List.of(),
                null);
        int taken = 0;
        while (weir.check(request).isEmpty()) {
            weir.fact(request);
            taken++;
        }

        assertThat(taken).isGreaterThan(1_000);
        assertThat(size(weir.domain())).isLessThan(RecordSize.most(Topics.JOURNAL));
    }

    @Test
    void shouldRememberTheApplicationsThatRanLast() {
        weir.nodes(1, 1);
        long now = 0;
        for (int i = 0; i < 100; i++) {
            String application = "app" + i;
            weir.submit("j" + i, 1, 60, job -> job.setApplication(application)).iterate(now);
            weir.end("j" + i, now += 10).iterate(now);
        }

        NodeRecord record = weir.snapshot().stream()
                .filter(change -> change.kind() == EntityKind.HISTORY)
                .map(change -> (NodeRecord) change.value())
                .findFirst()
                .orElseThrow();
        assertThat(record.getApplications()).hasSize(64);
        assertThat(record.getApplications().get(63).getApplication()).isEqualTo("app99");
    }

    @Test
    void shouldCountNoticesThatFindNoRoom() {
        weir.nodes(3_000, 1).iterate(0);
        for (int i = 1; i <= 3_000; i++) {
            weir.node("n" + i, 1, NodeState.DOWN);
        }
        assertThat(size(weir.domain())).isLessThan(RecordSize.most(Topics.JOURNAL) / 4);
        weir.iterate(10);

        assertThat(weir.lastNotifications()).hasSize(Limit.NOTICES + 1);
        assertThat(weir.lastNotifications().get(Limit.NOTICES).getText()).startsWith("1000 further notices");
    }

    @Test
    void shouldTurnAwayNodesOfWhichAListWouldFitIntoNoRecord() {
        String name = "x".repeat(251);
        int known = 0;
        while (weir.check(node(name, known)).isEmpty()) {
            weir.fact(node(name, known++));
        }

        assertThat(known).isBetween(9_000, 10_000);
        assertThat(weir.check(node(name, known)).orElseThrow().message()).contains("give nodes shorter names");
        assertThat(weir.check(node(name, 0))).isEmpty();
    }

    /** Its configuration would be everybody's. */
    @Test
    void shouldTurnAwayANodeWithTheNameOfTheDefaults() {
        NodeReport report =
                NodeReport.newBuilder(node("DEFAULT", 1)).setNodeId("DEFAULT").build();

        assertThat(weir.check(report).orElseThrow().message()).contains("node DEFAULT: the name is reserved");
        assertThat(weir.check(NodeReport.newBuilder(report)
                        .setState(NodeState.REMOVED)
                        .build()))
                .isEmpty();
        assertThat(weir.check(node("DEFAULT", 1))).isEmpty();
    }

    /** All nodes a cluster can have, by names as hostile as they may be. */
    @Test
    void shouldReserveAndAllocateEveryNode() {
        String name = "ü".repeat(120);
        int nodes = 0;
        while (weir.check(node(name, nodes)).isEmpty()) {
            weir.fact(node(name, nodes++));
        }
        int all = nodes;
        weir.submit("j", nodes, 60, job -> job.setExtension("naccesspolicy=SINGLEJOB"))
                .iterate(0);
        weir.request(
                "q",
                RequestKind.CREATE_RESERVATION,
                "new",
                List.of(new NameValue("hostexp", "ALL"), new NameValue("starttime", "+100")));
        weir.iterate(1);

        assertThat(weir.job("j").getAllocation()).hasSize(all);
        assertThat(weir.publishedReservations.values())
                .singleElement()
                .satisfies(
                        reservation -> assertThat(reservation.getAllocation()).hasSize(all));
        for (Output output : weir.outputs) {
            assertThat(output.value() == null ? 0 : size(output.value()))
                    .as(output.kind().name())
                    .isLessThan(RecordSize.most(io.weir.scheduler.journal.OutputTopics.of(output.kind())));
        }
        assertThat(size(weir.domain())).isLessThan(100_000);
    }

    private static NodeReport node(String name, int number) {
        return NodeReport.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setNodeId(name + number)
                .setState(NodeState.IDLE)
                .setProcs(1)
                .build();
    }

    private RequestOutcome modify(String name, String value) {
        weir.request("m" + requests++, RequestKind.MODIFY_JOB, "j", List.of(new NameValue(name, value)));
        weir.iterate(requests);
        return weir.lastAnswers().get(0).getOutcome();
    }

    private static int size(SpecificRecord value) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
            new SpecificDatumWriter<>(value.getSchema(), SpecificData.getForClass(value.getClass()))
                    .write(value, encoder);
            encoder.flush();
            return bytes.size();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
