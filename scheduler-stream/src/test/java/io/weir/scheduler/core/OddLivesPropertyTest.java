package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.output.Output;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random configurations of parameters that the other property tests leave alone, changed while jobs run, over unlike nodes,
 * jobs with extensions, refused starts and operators' requests, senseless ones among them. Nothing of it may throw or go on
 * for ever, and the same facts give the same outputs after a rebuild and without a kept plan. A failure names its seed.
 * {@code -Dweir.odd.lives=5000} lives so many, {@code -Dweir.odd.seed=N} begins with that seed.
 */
class OddLivesPropertyTest {
    private static final int LIVES = Integer.getInteger("weir.odd.lives", 60);
    private static final long FIRST = Long.getLong("weir.odd.seed", 1);
    private static final int STEPS = 25;

    private Random random = new Random();
    private OddInputs odd = new OddInputs(random);
    private final List<String> ids = new ArrayList<>();

    @Test
    void shouldDecideTheSameWhateverHappens() {
        int started = 0;
        for (long seed = FIRST; seed < FIRST + LIVES; seed++) {
            List<Output> plain = live(new SchedulerFixture(), seed);

            checkSame(
                    "rebuilt before every input, seed " + seed,
                    live(new SchedulerFixture().rebuildingAlways(), seed),
                    plain);
            checkSame(
                    "every pass complete, seed " + seed,
                    live(new SchedulerFixture().forgettingThePlanAlways(), seed),
                    plain);
            started +=
                    (int) plain.stream().filter(OddLivesPropertyTest::isStart).count();
        }
        assertThat(started).as("jobs started").isGreaterThan(2 * LIVES);
    }

    /** Compares one by one, so that a failure shows the first difference alone. */
    private static void checkSame(String what, List<Output> actual, List<Output> expected) {
        for (int i = 0; i < Math.min(actual.size(), expected.size()); i++) {
            assertThat(actual.get(i)).as(what).isEqualTo(expected.get(i));
        }
        assertThat(actual).as(what).hasSameSizeAs(expected);
    }

    private static boolean isStart(Output output) {
        return output.value() instanceof RmCommand command && command.getKind() == CommandKind.START_JOB;
    }

    private List<Output> live(SchedulerFixture weir, long seed) {
        random = new Random(seed);
        odd = new OddInputs(random);
        ids.clear();
        weir.policy(odd.configuration());
        int nodes = 2 + random.nextInt(5);
        for (int i = 0; i < nodes; i++) {
            weir.fact(odd.node("n" + i));
        }
        Map<String, Long> runs = new TreeMap<>();
        long now = 0;
        for (int step = 0; step < STEPS; step++) {
            now += random.nextInt(40);
            endJobs(weir, runs, now);
            for (int i = random.nextInt(3); i > 0; i--) {
                String id = "j" + (1000 + ids.size());
                weir.fact(odd.job(id, ids.size(), now));
                ids.add(id);
                runs.put(id, 1L + random.nextInt(150));
            }
            if (odd.oneIn(6) && !ids.isEmpty()) {
                change(weir, odd.one(ids), now);
            }
            if (odd.oneIn(6)) {
                weir.fact(odd.node("n" + random.nextInt(nodes)));
            }
            if (odd.oneIn(2)) {
                weir.fact(odd.request(ids));
            }
            if (odd.oneIn(3)) {
                weir.fact(odd.delivery(weir.lastFirings(), now));
            }
            if (odd.oneIn(12)) {
                weir.policy(odd.configuration());
            }
            if (odd.oneIn(3)) {
                weir.iterateSilently(now);
                answer(weir, now);
            } else {
                weir.iterate(now);
            }
            checkApart(weir, "seed " + seed + " step " + step);
        }
        return weir.outputs;
    }

    /** A job that waits asks for something else. */
    private void change(SchedulerFixture weir, String id, long now) {
        JobReport other = odd.job(id, ids.indexOf(id), now);
        if (weir.knows(id) && weir.job(id).getState() == JobState.IDLE) {
            weir.fact(other);
        }
    }

    private void checkApart(SchedulerFixture weir, String what) {
        for (String id : ids) {
            if (weir.started().contains(id)) {
                Requirements.checkApart(what, weir.job(id), weir.job(id).getPlacements());
            }
            ReservationStatus reservation = weir.publishedReservations.get(id);
            if (reservation != null && reservation.getJobId() != null) {
                Requirements.checkApart(what, weir.job(id), reservation.getPlacements());
            }
        }
    }

    private static void endJobs(SchedulerFixture weir, Map<String, Long> runs, long now) {
        for (Map.Entry<String, Long> run : Map.copyOf(runs).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .toList()) {
            JobStatus job = weir.knows(run.getKey()) ? weir.job(run.getKey()) : null;
            if (job == null) {
                runs.remove(run.getKey());
            } else if (job.getState() == JobState.RUNNING
                    && Duration.between(job.getStartTime(), SchedulerFixture.at(now))
                                    .toSeconds()
                            >= run.getValue()) {
                weir.end(run.getKey(), now);
                runs.remove(run.getKey());
            }
        }
    }

    /** Answers the starts of the last iteration, and now and then does not. */
    private void answer(SchedulerFixture weir, long now) {
        for (RmCommand command : weir.lastCommands()) {
            String id = command.getJobId();
            if (id != null && command.getKind() == CommandKind.START_JOB && !odd.oneIn(4)) {
                weir.answer(
                        id, odd.one(List.of(CommandOutcome.DONE, CommandOutcome.REFUSED, CommandOutcome.EXPIRED)), now);
            }
        }
    }
}
