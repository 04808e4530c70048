package io.weir.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.audit.Divergence.Kind;
import io.weir.scheduler.stream.FakeConnector;
import io.weir.scheduler.stream.StreamHarness;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.Iteration;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.RmCommand;
import io.weir.topics.DeadLetterForm;
import io.weir.topics.FactHeaders;
import io.weir.topics.RecordSize;
import io.weir.topics.RedriveMark;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of tampering with the log of a short but real run. */
class AuditReplayerTest {
    private final StreamHarness harness = StreamHarness.rm();
    private final FakeConnector connector = new FakeConnector(harness);
    private InMemoryRecordLog log;

    /** Two nodes, four jobs, three polls; a dead letter and a repeated fact besides. */
    @BeforeEach
    void run() {
        log = harness.log;
        harness.deliver(connector.hello());
        harness.deliver(connector.node("n1", 4));
        harness.deliver(connector.node("n2", 4));
        harness.deliver(connector.job(1, 3));
        ConsumerRecord<byte[], byte[]> second = connector.job(2, 4);
        harness.deliver(second);
        harness.deliver(
                harness.write(Topics.RM_JOBS, second.key(), second.value(), second.timestamp(), second.headers()));
        harness.deliver(harness.write(
                Topics.REQUESTS,
                (StreamHarness.CLUSTER + "/r1").getBytes(StandardCharsets.UTF_8),
                new byte[] {1, 2, 3},
                harness.now().toEpochMilli(),
                StreamHarness.noHeaders()));
        harness.deliver(connector.heartbeat());
        for (int poll = 0; poll < 2; poll++) {
            connector.at(connector.rmTime().plusSeconds(60));
            List<RmCommand> commands = harness.read(Topics.COMMANDS);
            harness.deliver(connector.done(commands.get(commands.size() - 1)));
            harness.deliver(connector.ended(1 + poll, poll == 0 ? 3 : 4));
            harness.deliver(connector.job(3 + poll, 4));
            harness.deliver(connector.heartbeat());
        }
        assertThat(harness.iterations()).hasSize(3);
        assertThat(records(Topics.COMMANDS).size()).isGreaterThanOrEqualTo(3);
        assertThat(harness.causes()).containsExactly("UNDECODABLE");
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void shouldFindNothingInAnUntouchedLog() {
        AuditReport report = audit(1);

        assertThat(report.firstDivergence()).isEmpty();
        assertThat(report.isClean()).isTrue();
        AuditReport.ClusterReport cluster = report.clusters().get(0);
        assertThat(cluster.iterations()).isEqualTo(3);
        assertThat(cluster.inputs()).isEqualTo(harness.journaledInputs());
        assertThat(cluster.facts()).isEqualTo(harness.journaledInputs());
        assertThat(cluster.unverified()).isZero();
        assertThat(cluster.outputs()).isPositive();
    }

    @Test
    void shouldReadALogWithoutARegistry() {
        AuditReport report = new AuditReplayer(
                        log, StreamHarness.NAMES, new InputReader(Optional.empty()), 1, (cluster, number, share) -> {})
                .verify();

        assertThat(report.isClean()).isTrue();
    }

    @Test
    void shouldFindEveryRecordOfTheJournalThatWasRewritten() {
        for (int i = 0; i < records(Topics.JOURNAL).size(); i++) {
            ConsumerRecord<byte[], byte[]> original = records(Topics.JOURNAL).get(i);
            log.rewrite(name(Topics.JOURNAL), i, flipLastByte(original.value()));

            Divergence found = audit(1).firstDivergence().orElseThrow();

            assertThat(found.kind()).as(found.toString()).isIn(Kind.JOURNAL_RECORD, Kind.ITERATION);
            assertPlace(found, Topics.JOURNAL, original.offset());
            records(Topics.JOURNAL).set(i, original);
        }
    }

    @Test
    void shouldNameTheFieldThatWasRewrittenInTheJournal() {
        int index = indexOfInput(Topics.RM_JOBS);
        ConsumerRecord<byte[], byte[]> original = records(Topics.JOURNAL).get(index);
        var report = harness.codec.decode(Topics.RM_JOBS, original.value());
        log.rewrite(
                name(Topics.JOURNAL),
                index,
                harness.codec.encode(
                        Topics.RM_JOBS,
                        io.weir.schemas.JobReport.newBuilder(report).setTasks(1).build()));

        Divergence found = audit(1).firstDivergence().orElseThrow();

        assertThat(found.fields()).containsExactly(new FieldDifference("tasks", "1", "3"));
    }

    @Test
    void shouldFindEveryFactThatWasRewritten() {
        for (Topic<?> topic :
                List.of(Topics.RM_NODES, Topics.RM_JOBS, Topics.RM_HEARTBEATS, Topics.RESULTS, Topics.REQUESTS)) {
            for (int i = 0; i < records(topic).size(); i++) {
                ConsumerRecord<byte[], byte[]> original = records(topic).get(i);
                boolean repeated = topic.equals(Topics.RM_JOBS) && i == 2;
                log.rewrite(name(topic), i, flipLastByte(original.value()));

                Optional<Divergence> found = audit(1).firstDivergence();

                if (!repeated) {
                    assertThat(found).isPresent();
                    assertThat(found.get().kind()).isEqualTo(Kind.FACT_RECORD);
                    assertPlace(found.get(), topic, original.offset());
                }
                records(topic).set(i, original);
            }
        }
    }

    @Test
    void shouldFindEveryOutputThatWasRewritten() {
        for (Topic<?> topic : outputs()) {
            for (int i = 0; i < records(topic).size(); i++) {
                ConsumerRecord<byte[], byte[]> original = records(topic).get(i);
                log.rewrite(
                        name(topic),
                        i,
                        original.value() == null ? new byte[] {0, 0, 0, 0, 1, 2} : flipLastByte(original.value()));

                Divergence found = audit(1).firstDivergence().orElseThrow();

                assertThat(found.kind()).as(found.toString()).isEqualTo(Kind.OUTPUT_RECORD);
                assertPlace(found, topic, original.offset());
                assertThat(found.fields()).isNotEmpty();
                records(topic).set(i, original);
            }
        }
    }

    @Test
    void shouldNameTheFirstOutputOfAnIterationThatDiffers() {
        rewriteIteration(1, iteration -> iteration.setOutputsDigest("0"));
        log.rewrite(
                name(Topics.COMMANDS),
                0,
                flipLastByte(records(Topics.COMMANDS).get(0).value()));

        Divergence found = audit(1).firstDivergence().orElseThrow();

        assertThat(found.kind()).isEqualTo(Kind.ITERATION);
        assertThat(found.iteration()).isEqualTo(1);
        assertThat(found.message())
                .contains("first output that differs is at weir.commands-0@0", "output 1 of commands");
        assertThat(found.fields())
                .extracting(FieldDifference::field)
                .startsWith("outputsDigest")
                .hasSizeGreaterThan(1);
    }

    @Test
    void shouldNameAnOutputThatTheCoreNoLongerPutsOut() {
        List<ConsumerRecord<byte[], byte[]>> decisions = records(Topics.DECISIONS);
        ConsumerRecord<byte[], byte[]> last = decisions.get(decisions.size() - 1);
        log.append(last.topic(), last.key(), last.value(), last.timestamp(), last.headers());
        rewriteIteration(3, iteration -> iteration.setOutputsDigest("0"));

        Divergence found = audit(1).firstDivergence().orElseThrow();

        assertThat(found.kind()).isEqualTo(Kind.ITERATION);
        assertThat(found.message()).contains("of decisions is not derived at all");
    }

    private void rewriteIteration(long number, Consumer<Iteration.Builder> change) {
        List<ConsumerRecord<byte[], byte[]>> journal = records(Topics.JOURNAL);
        for (int i = 0; i < journal.size(); i++) {
            if (FactHeaders.ITERATION.get(journal.get(i).headers()).orElse(0) == number) {
                Iteration.Builder iteration = Iteration.newBuilder(
                        harness.codec.decode(Topics.JOURNAL, journal.get(i).value()));
                change.accept(iteration);
                log.rewrite(name(Topics.JOURNAL), i, harness.codec.encode(Topics.JOURNAL, iteration.build()));
            }
        }
    }

    @Test
    void shouldFindEveryRecordThatWasDropped() {
        for (Topic<?> topic : tampered()) {
            int last = topic.equals(Topics.JOURNAL)
                    ? records(topic).size() - 2
                    : records(topic).size() - 1;
            for (int i = 0; i <= last; i++) {
                boolean repeated = topic.equals(Topics.RM_JOBS) && i == 2;
                ConsumerRecord<byte[], byte[]> dropped = records(topic).remove(i);

                Optional<Divergence> found = audit(1).firstDivergence();

                if (!repeated) {
                    assertThat(found).as(topic.name() + "@" + dropped.offset()).isPresent();
                    assertThat(found.get().place().topic()).isEqualTo(name(topic));
                }
                records(topic).add(i, dropped);
            }
        }
        assertThat(audit(1).isClean()).isTrue();
    }

    @Test
    void shouldFindThatTheLastIterationIsGone() {
        records(Topics.JOURNAL).remove(records(Topics.JOURNAL).size() - 1);

        Divergence found = audit(1).firstDivergence().orElseThrow();

        assertThat(found.kind()).isEqualTo(Kind.OUTPUT_EXTRA);
        assertThat(found.iteration()).isEqualTo(3);
    }

    @Test
    void shouldFindNothingWhenTheSchedulerRunsOnMeanwhile() {
        for (Topic<?> topic : tampered()) {
            for (int end = 0; end < records(topic).size(); end++) {
                log.grownSince(name(topic), records(topic).get(end).offset());

                assertThat(audit(1).firstDivergence())
                        .as("%s looked at when it ended at record %d", topic.name(), end)
                        .isEmpty();
            }
        }
    }

    @Test
    void shouldFindEveryTwoNeighboursThatWereSwapped() {
        for (Topic<?> topic : tampered()) {
            for (int i = 0; i + 1 < records(topic).size(); i++) {
                log.swap(name(topic), i, i + 1);

                Optional<Divergence> found = audit(1).firstDivergence();

                boolean repetition = topic.equals(Topics.RM_JOBS) && i == 1;
                if (!repetition) {
                    assertThat(found).as(topic.name() + " " + i).isPresent();
                    assertThat(found.get().place().topic()).isEqualTo(name(topic));
                    assertThat(found.get().place().offset())
                            .isBetween(
                                    records(topic).get(i).offset(),
                                    records(topic).get(i + 1).offset());
                }
                log.swap(name(topic), i, i + 1);
            }
        }
    }

    @Test
    void shouldFindAnAddedFactBetweenConsumedOnes() {
        List<ConsumerRecord<byte[], byte[]>> facts = records(Topics.RM_NODES);
        ConsumerRecord<byte[], byte[]> first = facts.get(0);
        harness.write(Topics.MONITORING_EVENTS, first.key(), first.value(), 5, StreamHarness.noHeaders());

        assertThat(audit(1).clusters().get(0).divergence()).isEmpty();

        harness.write(Topics.RM_NODES, first.key(), first.value(), 5, StreamHarness.noHeaders());
        log.swap(name(Topics.RM_NODES), 1, 2);
        Divergence found = audit(1).firstDivergence().orElseThrow();
        assertThat(found.place().topic()).isEqualTo(name(Topics.RM_NODES));
    }

    @Test
    void shouldFindAnAddedOutput() {
        ConsumerRecord<byte[], byte[]> command = records(Topics.COMMANDS).get(0);
        ConsumerRecord<byte[], byte[]> added =
                log.append(command.topic(), command.key(), command.value(), command.timestamp(), command.headers());

        Divergence found = audit(1).firstDivergence().orElseThrow();

        assertThat(found.kind()).isEqualTo(Kind.OUTPUT_EXTRA);
        assertPlace(found, Topics.COMMANDS, added.offset());
    }

    @Test
    void shouldReportAPlaceThatCannotBeRead() {
        for (Topic<?> topic : tampered()) {
            long offset = records(topic).get(1).offset();
            InMemoryRecordLog fresh = copy();
            fresh.corrupt(name(topic), offset);

            AuditReport report = new AuditReplayer(
                            fresh, StreamHarness.NAMES, decoder(), 1, (cluster, number, share) -> {})
                    .verify();

            assertThat(report.isClean()).isFalse();
            assertThat(report.corrupt()).as(topic.name()).hasSize(1);
            assertThat(report.corrupt().get(0).partition().topic()).isEqualTo(name(topic));
            assertThat(report.corrupt().get(0).from()).isEqualTo(offset);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldCompareFromAnIterationOnOnly(int from) {
        ConsumerRecord<byte[], byte[]> first = records(Topics.COMMANDS).get(0);
        log.rewrite(name(Topics.COMMANDS), 0, flipLastByte(first.value()));

        assertThat(audit(from).isClean()).isEqualTo(from > 1);
    }

    @Test
    void shouldCountWhatLiesBehindTheLastIteration() {
        FakeConnector late = new FakeConnector(harness);
        harness.deliver(late.hello());
        harness.deliver(late.node("n1", 4));
        late.job(9, 1);

        AuditReport report = audit(1);

        assertThat(report.isClean()).isTrue();
        assertThat(report.clusters().get(0).unverified()).isEqualTo(3);
    }

    @Test
    void shouldAcceptWhatRetentionDeleted() {
        for (Topic<?> topic : List.of(Topics.RM_NODES, Topics.RM_JOBS, Topics.COMMANDS, Topics.DECISIONS)) {
            records(topic).remove(0);
            log.deletedBefore(name(topic), records(topic).get(0).offset());
        }

        assertThat(audit(1).firstDivergence()).isEmpty();
    }

    /** Without its first records a journal has nothing to derive from, but its digests follow from the first one left. */
    @Test
    void shouldVerifyTheDigestsOfAJournalWhoseBeginningHasExpired() throws Exception {
        List<ConsumerRecord<byte[], byte[]>> whole = List.copyOf(records(Topics.JOURNAL));
        for (int first = 1; first < whole.size(); first++) {
            expireJournalBefore(whole, first);

            AuditReport report = audit(1);

            assertThat(report.firstDivergence()).as("from " + first).isEmpty();
            assertThat(report.isClean()).isTrue();
            assertThat(report.isWhole()).isFalse();
            assertThat(report.clusters().get(0).iterations()).isEqualTo(3);
            assertThat(report.clusters().get(0).beginning())
                    .hasValueSatisfying(
                            beginning -> assertThat(beginning.iteration()).isBetween(1L, 3L));
            var state = new StateRebuilder(log, StreamHarness.NAMES, decoder())
                    .rebuild()
                    .get(0);
            assertThat(state.begins()).isPresent();
            assertThat(state.firstDifference()).isEmpty();
        }
    }

    @Test
    void shouldFindWhatWasChangedInAJournalWhoseBeginningHasExpired() {
        List<ConsumerRecord<byte[], byte[]>> whole = List.copyOf(records(Topics.JOURNAL));
        expireJournalBefore(whole, 2);
        for (int i = 1; i < records(Topics.JOURNAL).size() - 1; i++) {
            ConsumerRecord<byte[], byte[]> original = records(Topics.JOURNAL).get(i);
            log.rewrite(name(Topics.JOURNAL), i, flipLastByte(original.value()));
            assertThat(audit(1).firstDivergence()).as("changed " + i).isPresent();
            records(Topics.JOURNAL).set(i, original);

            records(Topics.JOURNAL).remove(i);
            assertThat(audit(1).firstDivergence()).as("dropped " + i).isPresent();
            records(Topics.JOURNAL).add(i, original);
        }
        assertThat(audit(1).isClean()).isTrue();
    }

    private void expireJournalBefore(List<ConsumerRecord<byte[], byte[]>> whole, int first) {
        records(Topics.JOURNAL).clear();
        records(Topics.JOURNAL).addAll(whole.subList(first, whole.size()));
        log.deletedBefore(name(Topics.JOURNAL), whole.get(first).offset());
    }

    @Test
    void shouldAcceptWhatCompactionDeleted() {
        for (Topic<?> topic : List.of(Topics.NODES, Topics.JOBS, Topics.RESERVATIONS)) {
            log.compact(name(topic));
        }

        assertThat(audit(1).firstDivergence()).isEmpty();
    }

    /** No key occurs twice in what compaction has gone over: a key that does puts the drop before it in doubt. */
    @Test
    void shouldFindADropThatCompactionCannotHaveMade() {
        log.compactable(name(Topics.JOBS));
        List<ConsumerRecord<byte[], byte[]>> jobs = records(Topics.JOBS);
        int found = 0;
        for (int i = 0; i < jobs.size(); i++) {
            ConsumerRecord<byte[], byte[]> dropped = jobs.remove(i);
            Optional<Divergence> divergence = audit(1).firstDivergence();
            if (divergence.isPresent()) {
                assertThat(divergence.get().kind()).isEqualTo(Kind.OUTPUT_MISSING);
                assertThat(divergence.get().place().key()).isEqualTo(new String(dropped.key(), StandardCharsets.UTF_8));
                found++;
            }
            jobs.add(i, dropped);
        }
        assertThat(found).isBetween(1, jobs.size());
    }

    @Test
    void shouldAcceptCompactionUpToAnyPlace() {
        for (Topic<?> topic : List.of(Topics.NODES, Topics.JOBS, Topics.RESERVATIONS, Topics.EXPLANATIONS)) {
            log.compactable(name(topic));
            List<ConsumerRecord<byte[], byte[]>> whole = List.copyOf(records(topic));
            for (int place = 0; place <= whole.size(); place++) {
                records(topic).clear();
                records(topic).addAll(compacted(whole, place));

                assertThat(audit(1).firstDivergence())
                        .as(topic.name() + " compacted before " + place)
                        .isEmpty();
            }
            records(topic).clear();
            records(topic).addAll(whole);
        }
    }

    @Test
    void shouldFindTheSameInALogAtHandWithoutWaitingForMore() {
        AuditReport untouched = audit(1);
        List<ConsumerRecord<byte[], byte[]>> jobs = records(Topics.JOBS);
        ConsumerRecord<byte[], byte[]> last = jobs.remove(jobs.size() - 1);
        AuditReport without = audit(1);

        log.settled();

        assertThat(audit(1)).isEqualTo(without);
        assertThat(without.firstDivergence()).isPresent();
        jobs.add(last);
        assertThat(audit(1)).isEqualTo(untouched);
    }

    /** A key whose tombstone compaction forgot may come back long after what compaction went over. */
    @Test
    void shouldAcceptThatATombstoneOfAKeyThatComesBackIsForgotten() {
        harness.deliver(connector.job(8, 8));
        harness.deliver(connector.job(9, 8));
        int version = 0;
        for (String policy : List.of("DEPTH 2", "DEPTH 1", "POLICY NEVER", "DEPTH 1", "POLICY NEVER", "DEPTH 2")) {
            harness.deliver(harness.write(
                    Topics.POLICY,
                    StreamHarness.CLUSTER + "/v" + ++version,
                    new PolicyVersion(
                            StreamHarness.CLUSTER, "v" + version, "RESERVATION" + policy, null, null, harness.now()),
                    StreamHarness.noHeaders()));
            connector.at(connector.rmTime().plusSeconds(60));
            harness.deliver(connector.heartbeat());
        }
        List<ConsumerRecord<byte[], byte[]>> reservations = records(Topics.RESERVATIONS);
        List<ConsumerRecord<byte[], byte[]>> whole = List.copyOf(reservations);
        assertThat(whole.stream().filter(record -> record.value() == null)).hasSizeGreaterThanOrEqualTo(3);
        log.compactable(name(Topics.RESERVATIONS));
        for (int place = 0; place <= whole.size(); place++) {
            reservations.clear();
            reservations.addAll(compacted(whole, place));

            assertThat(audit(1).firstDivergence())
                    .as("compacted before " + place)
                    .isEmpty();
        }
    }

    @Test
    void shouldPassOverOutputsThatWereSentAgain() {
        letter(0);
        ConsumerRecord<byte[], byte[]> again =
                redrive(0, records(Topics.COMMANDS).get(0).value());
        mark(0, again.offset());
        ConsumerRecord<byte[], byte[]> third =
                redrive(again.offset(), records(Topics.COMMANDS).get(0).value());
        mark(again.offset(), third.offset());
        connector.at(connector.rmTime().plusSeconds(60));
        List<RmCommand> commands = harness.read(Topics.COMMANDS);
        harness.deliver(connector.done(commands.get(0)));
        harness.deliver(connector.job(9, 4));
        harness.deliver(connector.ended(3, 4));
        harness.deliver(connector.heartbeat());
        assertThat(records(Topics.COMMANDS))
                .last()
                .satisfies(last -> assertThat(last.offset()).isGreaterThan(third.offset()));

        for (int from = 1; from <= harness.iterations().size(); from++) {
            assertThat(audit(from).firstDivergence()).as("from " + from).isEmpty();
        }

        log.deletedBefore(name(Topics.COMMANDS), 1);
        records(Topics.COMMANDS).remove(0);
        assertThat(audit(1).firstDivergence()).as("from the letter").isEmpty();
    }

    @Test
    void shouldFindOutputsThatOnlySayThatTheyWereSentAgain() {
        byte[] value = records(Topics.COMMANDS).get(0).value();
        letter(0);
        ConsumerRecord<byte[], byte[]> forged = redrive(0, value);
        assertExtra(forged);

        mark(1, forged.offset());
        assertExtra(forged);

        mark(0, forged.offset());
        assertThat(audit(1).firstDivergence()).isEmpty();

        ConsumerRecord<byte[], byte[]> changed = redrive(0, flipLastByte(value));
        mark(0, changed.offset());
        assertExtra(changed);
    }

    /** Charges are kept for ever, marks are not. */
    @Test
    void shouldHaveTheOriginalDoWhereMarksMayBeGone() {
        byte[] value = records(Topics.COMMANDS).get(0).value();
        redrive(0, value);
        log.deletedBefore(name(Topics.DEAD_LETTERS), 1);
        assertThat(audit(1).firstDivergence()).isEmpty();

        assertExtra(redrive(0, flipLastByte(value)));
    }

    private void assertExtra(ConsumerRecord<byte[], byte[]> forged) {
        Divergence found = audit(1).firstDivergence().orElseThrow();
        assertThat(found.kind()).isEqualTo(Kind.OUTPUT_EXTRA);
        assertPlace(found, Topics.COMMANDS, forged.offset());
    }

    /** Files a command among the dead letters. */
    private void letter(int index) {
        file(new DeadLetterForm("test")
                .of(records(Topics.COMMANDS).get(index), StreamHarness.NAMES, "UNDELIVERED", "test"));
    }

    private void mark(long origin, long offset) {
        file(DeadLetter.newBuilder()
                .setService("test")
                .setTopic("commands")
                .setPartition(0)
                .setOffset(origin)
                .setTimestamp(1)
                .setCause(RedriveMark.CAUSE)
                .setMessage(RedriveMark.message("commands-0@" + offset))
                .setHeaders(List.of())
                .build());
    }

    private void file(DeadLetter letter) {
        harness.write(Topics.DEAD_LETTERS, StreamHarness.CLUSTER, letter, StreamHarness.noHeaders());
    }

    /** Sends the first command again as that of {@code origin}, with {@code value}. */
    private ConsumerRecord<byte[], byte[]> redrive(long origin, byte[] value) {
        ConsumerRecord<byte[], byte[]> first = records(Topics.COMMANDS).get(0);
        RecordHeaders headers = new RecordHeaders(first.headers());
        FactHeaders.REDRIVEN_FROM.put(headers, "commands-0@" + origin);
        return log.append(first.topic(), first.key(), value, first.timestamp(), headers);
    }

    @Test
    void shouldCompareADeadLetterThatWasCutWithWhatItStillHas() {
        byte[] large = new byte[RecordSize.most(Topics.REQUESTS) + 1];
        harness.deliver(harness.write(
                Topics.REQUESTS,
                (StreamHarness.CLUSTER + "/large").getBytes(StandardCharsets.UTF_8),
                large,
                harness.now().toEpochMilli(),
                new RecordHeaders().add("large", new byte[1 << 17])));
        assertThat(harness.causes()).endsWith("TOO_LARGE");

        assertThat(audit(1).firstDivergence()).isEmpty();

        byte[] other = large.clone();
        other[0] = 1;
        log.rewrite(name(Topics.REQUESTS), records(Topics.REQUESTS).size() - 1, other);
        assertThat(audit(1).firstDivergence().orElseThrow().kind()).isEqualTo(Kind.FACT_RECORD);
    }

    /** Returns {@code records} after the broker has gone over those before {@code place} and forgotten tombstones, too. */
    private static List<ConsumerRecord<byte[], byte[]>> compacted(
            List<ConsumerRecord<byte[], byte[]>> records, int place) {
        Map<String, Integer> last = new HashMap<>();
        for (int i = 0; i < place; i++) {
            last.put(new String(records.get(i).key(), StandardCharsets.UTF_8), i);
        }
        List<ConsumerRecord<byte[], byte[]>> kept = new ArrayList<>();
        for (int i = 0; i < records.size(); i++) {
            ConsumerRecord<byte[], byte[]> record = records.get(i);
            boolean latest = last.getOrDefault(new String(record.key(), StandardCharsets.UTF_8), -1) == i;
            if (i >= place || (latest && record.value() != null)) {
                kept.add(record);
            }
        }
        return kept;
    }

    @Test
    void shouldRebuildTheStateThatTheStateTopicsHold() throws Exception {
        var states = new StateRebuilder(log, StreamHarness.NAMES, decoder()).rebuild();

        assertThat(states).hasSize(1);
        assertThat(states.get(0).derivedHash()).isEqualTo(states.get(0).heldHash());
        assertThat(states.get(0).entities()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void shouldNameTheEntityWhoseStateDiffers() throws Exception {
        List<ConsumerRecord<byte[], byte[]>> nodes = records(Topics.NODES);
        log.rewrite(
                name(Topics.NODES),
                nodes.size() - 1,
                flipLastByte(nodes.get(nodes.size() - 1).value()));

        var states = new StateRebuilder(log, StreamHarness.NAMES, decoder()).rebuild();

        assertThat(states.get(0).firstDifference()).hasValueSatisfying(first -> {
            assertThat(first.entity()).startsWith("nodes/");
            assertThat(first.field()).isPresent();
        });
    }

    private AuditReport audit(long fromIteration) {
        return new AuditReplayer(log, StreamHarness.NAMES, decoder(), fromIteration, (cluster, number, share) -> {})
                .verify();
    }

    private InputReader decoder() {
        return new InputReader(Optional.of(harness.codec));
    }

    private List<Topic<?>> outputs() {
        return List.<Topic<?>>of(Topics.COMMANDS, Topics.DECISIONS, Topics.NODES, Topics.JOBS, Topics.RESERVATIONS)
                .stream()
                .filter(topic -> !records(topic).isEmpty())
                .toList();
    }

    private List<Topic<?>> tampered() {
        java.util.ArrayList<Topic<?>> topics = new java.util.ArrayList<>(outputs());
        topics.addAll(List.of(Topics.JOURNAL, Topics.RM_NODES, Topics.RM_JOBS, Topics.RM_HEARTBEATS, Topics.RESULTS));
        return topics;
    }

    private InMemoryRecordLog copy() {
        InMemoryRecordLog copy = new InMemoryRecordLog();
        Topics.all()
                .forEach(topic -> records(topic)
                        .forEach(record -> copy.append(
                                record.topic(), record.key(), record.value(), record.timestamp(), record.headers())));
        return copy;
    }

    private int indexOfInput(Topic<?> source) {
        List<ConsumerRecord<byte[], byte[]>> journal = records(Topics.JOURNAL);
        for (int i = 0; i < journal.size(); i++) {
            if (io.weir.topics.FactHeaders.SOURCE_TOPIC
                    .get(journal.get(i).headers())
                    .filter(source.name()::equals)
                    .isPresent()) {
                return i;
            }
        }
        throw new AssertionError("no input from " + source.name());
    }

    private List<ConsumerRecord<byte[], byte[]>> records(Topic<?> topic) {
        return log.records(name(topic));
    }

    private static String name(Topic<?> topic) {
        return StreamHarness.NAMES.full(topic);
    }

    private static void assertPlace(Divergence found, Topic<?> topic, long offset) {
        assertThat(found.place().topic()).as(found.toString()).isEqualTo(name(topic));
        assertThat(found.place().offset()).as(found.toString()).isEqualTo(offset);
    }

    private static byte[] flipLastByte(byte[] value) {
        byte[] copy = value.clone();
        copy[copy.length - 1] ^= 1;
        return copy;
    }
}
