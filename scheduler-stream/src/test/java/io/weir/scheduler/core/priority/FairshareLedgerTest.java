package io.weir.scheduler.core.priority;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.policy.job.FairshareSettings;
import io.weir.scheduler.state.FairshareStatus;
import io.weir.schemas.NodeAllocation;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Three windows of 100 s count. */
class FairshareLedgerTest {
    private static final FairshareSettings SETTINGS = new FairshareSettings(true, 100, 3, 0.5);
    private static final String CLUSTER = "c";
    private static final List<String> USERS = List.of("ann", "bob", "carl");

    private FairshareLedger ledger = ledger();

    /** Active jobs, by id. */
    private final SortedMap<String, Job> active = new TreeMap<>();

    /** What is stored, by id. */
    private final SortedMap<String, FairshareStatus> stored = new TreeMap<>();

    @Test
    void shouldStoreAnAccountOnlyWhenItsJobsChangeOrAWindowTurns() {
        charge(0);
        put(running("a", "ann", 0, 2));
        put(running("b", "bob", 0, 1));
        charge(10);
        assertThat(ledger.drain()).containsExactly("ALL", "USER/ann", "USER/bob");

        charge(20);
        charge(30);
        assertThat(ledger.drain()).containsExactly("ALL");

        end("b", 35);
        charge(40);
        assertThat(ledger.drain()).containsExactly("ALL", "USER/bob");
        charge(99);
        assertThat(ledger.drain()).containsExactly("ALL");
        charge(101);
        assertThat(ledger.drain()).containsExactly("ALL", "USER/ann");
        assertThat(ledger.percent(CredentialKind.USER, "bob", 101)).isLessThan(Micros.of(20));
    }

    @Test
    void shouldStoreWhatIsLeftWhenFairshareIsTurnedOffAndCountNothingBeforeItIsOnAgain() {
        charge(0);
        put(running("a", "ann", 0, 1));
        put(running("b", "bob", 0, 1));
        charge(10);
        store();

        ledger.configure(new FairshareSettings(false, 100, 3, 0.5));
        charge(50);
        end("b", 60);
        store();
        ledger = restored();
        charge(80);
        store();
        ledger = restored();
        charge(90);

        assertThat(ledger.percent(CredentialKind.USER, "ann", 90)).isEqualTo(Micros.of(100, 20, 30));
        assertThat(ledger.percent(CredentialKind.USER, "bob", 90)).isEqualTo(Micros.of(100, 10, 30));
    }

    /** An earlier build stored every account with every charge, and the instant with that of all. */
    @Test
    void shouldGoOnWithAccountsThatHaveNoInstantOfTheirOwn() {
        stored.put("ALL", new FairshareStatus(CLUSTER, "ALL", "ALL", 0L, List.of(50L, 0L, 0L), instant(50)));
        stored.put("USER/ann", new FairshareStatus(CLUSTER, "USER", "ann", 0L, List.of(50L, 0L, 0L), null));
        active.put("a", running("a", "ann", 0, 1));
        ledger = restored();
        charge(60);
        store();
        ledger = restored();
        charge(70);

        assertThat(ledger.settledRecord(CLUSTER, "USER/ann").getProcSeconds()).containsExactly(70L, 0L, 0L);
    }

    /** Jobs begin and end ahead of the clock and behind it, and change what they hold and whose they are. */
    @Test
    void shouldChargeEverySecondOnceAndGoOnAlikeWhereverItIsRestored() {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            ledger = ledger();
            active.clear();
            stored.clear();
            UseBySecond expected = new UseBySecond();
            long now = 0;
            charge(now);
            for (int step = 0; step < 60; step++) {
                change(random, now, expected);
                store();
                if (random.nextInt(3) == 0) {
                    ledger = restored();
                }
                long next = now + random.nextInt(40);
                charge(next);
                expected.charge(active, now, next);
                now = next;
                store();
                assertThat(all(restored())).isEqualTo(all(ledger));
                for (String user : USERS) {
                    assertThat(ledger.percent(CredentialKind.USER, user, now))
                            .as("seed %s, step %s, %s", seed, step, user)
                            .isEqualTo(expected.percent(user, now));
                }
            }
        }
    }

    private void change(Random random, long now, UseBySecond expected) {
        for (int i = random.nextInt(3); i > 0; i--) {
            String id = "j" + random.nextInt(6);
            Job known = active.get(id);
            if (known == null || random.nextInt(3) == 0) {
                long start = Math.max(0, now - 10 + random.nextInt(20));
                put(running(id, USERS.get(random.nextInt(3)), start, 1 + random.nextInt(3)));
            } else {
                long window = now / SETTINGS.intervalSeconds();
                long end =
                        Math.min((window + 1) * SETTINGS.intervalSeconds(), Math.max(0, now - 10 + random.nextInt(20)));
                expected.charge(known, now, end);
                end(id, end);
            }
        }
    }

    /** The use of each window, by user, counted second by second. */
    private static final class UseBySecond {
        private final SortedMap<String, SortedMap<Long, Long>> use = new TreeMap<>();

        void charge(SortedMap<String, Job> jobs, long from, long to) {
            jobs.values().forEach(job -> charge(job, from, to));
        }

        void charge(Job job, long from, long to) {
            for (long second = Math.max(from, job.start()); second < to; second++) {
                long window = second / SETTINGS.intervalSeconds();
                for (String name : List.of("ALL", String.valueOf(CredentialKind.USER.of(job)))) {
                    use.computeIfAbsent(name, first -> new TreeMap<>())
                            .merge(window, (long) job.dedicatedProcs(), Long::sum);
                }
            }
        }

        long percent(String user, long now) {
            long all = decayed("ALL", now);
            return all == 0 ? 0 : Micros.of(100, decayed(user, now), all);
        }

        private long decayed(String name, long now) {
            long sum = 0;
            long factor = Micros.ONE;
            for (int age = 0; age < SETTINGS.depth(); age++) {
                long seconds = use.getOrDefault(name, new TreeMap<>())
                        .getOrDefault(now / SETTINGS.intervalSeconds() - age, 0L);
                sum += seconds * factor / Micros.ONE;
                factor = factor * Micros.of(SETTINGS.decay()) / Micros.ONE;
            }
            return sum;
        }
    }

    private void put(Job job) {
        ledger.begin(active.values());
        ledger.follow(active.put(job.id(), job), job);
    }

    private void end(String id, long end) {
        Job job = active.get(id);
        ledger.charge(job, end);
        ledger.begin(active.values());
        active.remove(id);
        ledger.follow(job, null);
    }

    private void charge(long now) {
        ledger.charge(active.values(), now);
    }

    private void store() {
        for (String id : ledger.drain()) {
            FairshareStatus status = ledger.toRecord(CLUSTER, id);
            if (status == null) {
                stored.remove(id);
            } else {
                stored.put(id, status);
            }
        }
    }

    private FairshareLedger restored() {
        FairshareLedger restored = ledger();
        stored.values().forEach(restored::restore);
        return restored;
    }

    private SortedMap<String, FairshareStatus> all(FairshareLedger of) {
        of.begin(active.values());
        SortedMap<String, FairshareStatus> all = new TreeMap<>();
        of.ids().forEach(id -> all.put(id, of.settledRecord(CLUSTER, id)));
        return all;
    }

    private static FairshareLedger ledger() {
        FairshareLedger ledger = new FairshareLedger();
        ledger.configure(SETTINGS);
        return ledger;
    }

    private static Job running(String id, String user, long start, int procs) {
        return TestJob.running(
                id,
                start,
                report -> report.setUser(user).setTasks(procs).setWalltimeSeconds(10_000L),
                new NodeAllocation("n1", procs));
    }

    private static Instant instant(long second) {
        return Instant.ofEpochSecond(second);
    }
}
