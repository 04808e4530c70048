package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.Explanation;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.TaskRequirement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is answered to the question why a job waits, and what is published about it, on random lives of small mixed
 * clusters with holds, drained nodes and maintenance. A failure names its seed.
 */
class ExplanationAgreementTest {
    private static final int ROUNDS = 25;
    private static final int STEPS = 25;
    private static final Duration LEAST_MOVE = Duration.ofSeconds(60);

    private static final List<String> POLICIES = List.of(
            "",
            "RESERVATIONDEPTH 3\nQUEUETIMEWEIGHT 1\nXFACTORWEIGHT 10",
            "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH INFINITY",
            "BACKFILLPOLICY NONE",
            "BACKFILLPOLICY BESTFIT\nRESERVATIONDEPTH 2",
            "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETLIST fast,slow\nNODESETISOPTIONAL FALSE");

    private final List<String> ids = new ArrayList<>();
    private SchedulerFixture weir = new SchedulerFixture();
    private int questions;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void shouldAnswerWhatIsPublished(int policy) {
        int compared = 0;
        for (long seed = 1; seed <= ROUNDS; seed++) {
            compared += live(policy, seed, true);
        }
        assertThat(compared).as("jobs compared").isGreaterThan(500);
    }

    /** What nobody asked about is what would have been answered. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void shouldHavePublishedWhatItAnswersLater(int policy) {
        int compared = 0;
        for (long seed = 1; seed <= ROUNDS; seed++) {
            compared += live(policy, seed, false);
        }
        assertThat(compared).as("jobs compared").isGreaterThan(300);
    }

    private int live(int policy, long seed, boolean atOnce) {
        Random random = new Random(seed);
        weir = new SchedulerFixture().policy(POLICIES.get(policy));
        ids.clear();
        questions = 0;
        int nodes = 2 + random.nextInt(5);
        for (int i = 0; i < nodes; i++) {
            node(i, NodeState.IDLE, seed);
        }
        Map<String, Long> ends = new LinkedHashMap<>();
        long now = 0;
        int compared = 0;
        for (int step = 0; step < STEPS; step++) {
            now += random.nextInt(300);
            endJobs(ends, now);
            if (random.nextInt(5) == 0) {
                node(random.nextInt(nodes), random.nextBoolean() ? NodeState.DRAINED : NodeState.IDLE, seed);
            }
            if (random.nextInt(8) == 0) {
                ask(
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        new NameValue("hostexp", "^n" + random.nextInt(nodes) + "$"),
                        new NameValue("acl", "user=" + (random.nextBoolean() ? "ann" : "bob")),
                        new NameValue("duration", Integer.toString(100 + random.nextInt(900))));
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                String id = "j" + (1000 + ids.size());
                long walltime = 60 + random.nextInt(900);
                submit(id, walltime, now, random);
                ends.put(id, 1 + (long) random.nextInt((int) walltime));
                ids.add(id);
            }
            if (!ids.isEmpty() && random.nextInt(6) == 0) {
                ask(
                        random.nextBoolean() ? RequestKind.HOLD_JOB : RequestKind.RELEASE_JOB,
                        ids.get(random.nextInt(ids.size())));
            }
            if (!atOnce) {
                weir.iterate(now);
            }
            Map<String, Explanation> before = new TreeMap<>(weir.publishedExplanations);
            Map<String, ReservationStatus> reserved = new TreeMap<>(weir.publishedReservations);
            Map<String, String> asked = new LinkedHashMap<>();
            for (String id : ids) {
                if (weir.knows(id) && weir.job(id).getStartTime() == null) {
                    asked.put(id, ask(RequestKind.EXPLAIN_JOB, id, new NameValue("verbose", "true")));
                }
            }
            weir.iterate(now);
            boolean same = weir.started().isEmpty() && weir.publishedReservations.equals(reserved);
            if (!atOnce && !same) {
                continue;
            }
            compared += compare(
                    asked,
                    atOnce ? weir.publishedExplanations : before,
                    "policy " + policy + " seed " + seed + " step " + step + " at " + now);
        }
        return compared;
    }

    private int compare(Map<String, String> asked, Map<String, Explanation> known, String when) {
        Map<String, RequestResult> answers = new TreeMap<>();
        weir.lastAnswers().forEach(answer -> answers.put(answer.getRequestId(), answer));
        int compared = 0;
        for (Map.Entry<String, String> question : asked.entrySet()) {
            RequestResult answer = answers.get(question.getValue());
            Explanation published = known.get(question.getKey());
            if (published == null || answer == null) {
                continue;
            }
            compared++;
            String what = when + ": job " + question.getKey() + "\npublished " + published + "\nanswered " + answer;
            assertThat(answer.getOutcome()).as(what).isEqualTo(RequestOutcome.ACCEPTED);
            List<NameValue> details = answer.getDetails();
            assertThat(values(details, "constraint")).as(what).containsExactly(published.getConstraint());
            assertThat(values(details, "blocker")).as(what).isEqualTo(published.getBlockers());
            checkStart(what, published, values(details, "start"));
            if (published.getIteration() == answer.getIteration()) {
                assertThat(answer.getMessage())
                        .as(what)
                        .isEqualTo("job " + question.getKey() + " " + published.getMessage());
                assertThat(counts(details)).as(what).isEqualTo(published.getRejections());
                assertThat(values(details, "position"))
                        .as(what)
                        .containsExactly(String.valueOf(published.getQueuePosition()));
                assertThat(values(details, "priority"))
                        .as(what)
                        .containsExactly(String.valueOf(published.getPriority()));
            }
            checkNodes(what, details);
        }
        return compared;
    }

    /** The expected start is published anew when it moves by more than a minute and a tenth of the wait. */
    private void checkStart(String what, Explanation published, List<String> answered) {
        Instant expected = published.getExpectedStart();
        if (expected == null || answered.isEmpty()) {
            assertThat(answered.isEmpty()).as(what).isEqualTo(expected == null);
            return;
        }
        Instant start = Instant.parse(answered.get(0));
        Duration wait = Duration.between(SchedulerFixture.at(lastNow()), start);
        Duration tenth = wait.dividedBy(10);
        assertThat(Duration.between(expected, start).abs())
                .as(what)
                .isLessThanOrEqualTo(tenth.compareTo(LEAST_MOVE) > 0 ? tenth : LEAST_MOVE);
    }

    private long lastNow() {
        return java.util.Objects.requireNonNull(weir.domain().getNow()).getEpochSecond() - SchedulerFixture.T0;
    }

    /** Every node gives one reason, and they add up to the counts as far as nodes and not reservations say it. */
    private static void checkNodes(String what, List<NameValue> details) {
        Map<String, Long> byReason = new TreeMap<>();
        int nodes = 0;
        for (NameValue detail : details) {
            if (detail.getName().startsWith("node ")) {
                nodes++;
                byReason.merge(detail.getValue().split(" ", 2)[0], 1L, Long::sum);
            }
        }
        int considered = Integer.parseInt(values(details, "nodes").get(0));
        if (considered == 0) {
            return;
        }
        assertThat(nodes).as(what).isEqualTo(considered);
        for (NameCount count : counts(details)) {
            if (!count.getName().equals("Reserved")) {
                assertThat(byReason).as(what).containsEntry(count.getName(), count.getCount());
            } else {
                // A node that reservations leave may still lie outside of every usable set.
                assertThat(byReason.getOrDefault("Reserved", 0L) + byReason.getOrDefault("Set", 0L))
                        .as(what)
                        .isEqualTo(count.getCount());
            }
        }
    }

    private static List<NameCount> counts(List<NameValue> details) {
        return details.stream()
                .filter(detail -> detail.getName().startsWith("rejected "))
                .map(detail -> new NameCount(
                        detail.getName().substring("rejected ".length()), Long.parseLong(detail.getValue())))
                .toList();
    }

    private static List<String> values(List<NameValue> details, String name) {
        return details.stream()
                .filter(detail -> detail.getName().equals(name))
                .map(NameValue::getValue)
                .toList();
    }

    private String ask(RequestKind kind, String id, NameValue... arguments) {
        String question = "q" + ++questions;
        weir.request(question, kind, id, List.of(arguments));
        return question;
    }

    private void node(int number, NodeState state, long seed) {
        Random like = new Random(seed * 100 + number);
        int procs = 1 << like.nextInt(4);
        long memory = 1000L * (1 + like.nextInt(8));
        String feature = like.nextBoolean() ? "fast" : "slow";
        weir.node(
                "n" + number, procs, state, report -> report.setMemoryMb(memory).setFeatures(List.of(feature)));
    }

    private void submit(String id, long walltime, long now, Random random) {
        int procs = 1 + random.nextInt(4);
        int tasks = 1 + random.nextInt(4);
        long memory = random.nextInt(3) > 0 ? 0 : 1 + (long) random.nextInt(6000);
        List<String> features = random.nextInt(4) == 0 ? List.of("fast") : List.of();
        TaskRequirement requirement = TaskRequirement.newBuilder()
                .setTasks(tasks)
                .setProcsPerTask(procs)
                .setMemoryMb(memory)
                .setFeatures(features)
                .build();
        @Nullable Instant after = random.nextInt(10) == 0 ? SchedulerFixture.at(now + 500) : null;
        weir.submit(
                id,
                tasks,
                walltime,
                report -> report.setProcsPerTask(procs)
                        .setRequirements(List.of(requirement))
                        .setStartAfter(after)
                        .setSubmitTime(SchedulerFixture.at(now)));
    }

    private void endJobs(Map<String, Long> ends, long now) {
        for (Map.Entry<String, Long> end : List.copyOf(ends.entrySet())) {
            JobStatus job = weir.job(end.getKey());
            Instant start = job.getStartTime();
            if (job.getState() == JobState.RUNNING && start != null) {
                long over = start.getEpochSecond() - SchedulerFixture.T0 + end.getValue();
                if (over <= now) {
                    weir.end(end.getKey(), over);
                    ends.remove(end.getKey());
                }
            }
        }
    }
}
