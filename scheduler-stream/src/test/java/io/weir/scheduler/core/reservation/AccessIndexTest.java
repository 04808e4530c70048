package io.weir.scheduler.core.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.reservation.acl.AccessDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AccessIndexTest {
    private static final List<String> ENTRIES = List.of(
            "USER==ann",
            "USER==bob",
            "USER==!ann",
            "USER==*bob",
            "USER==^ann",
            "USER==&carl",
            "USER!=bob",
            "GROUP==g1",
            "GROUP!=g1",
            "GROUP==*g2",
            "ACCT==chem",
            "ACCT==^chem",
            "CLASS==long",
            "CLASS==&long",
            "QOS==high",
            "QOS==!high",
            "JOB==j",
            "RSV==r3",
            "JATTR==PREEMPTEE",
            "DURATION<=3600",
            "DURATION==100",
            "DURATION==*<7200",
            "PROC>4",
            "PROC==4",
            "PS>=7200");

    private final TestCluster cluster = new TestCluster().nodes(1, 8);
    private final AdministrativeReservationTable table = new AdministrativeReservationTable();
    private final ReservationAccess access = new ReservationAccess(table, cluster.nodes, cluster.jobs);

    /** Lists of all kinds of entries, asked about jobs that differ in all they look at. */
    @Test
    void shouldSayWhatEveryListSaysByItself() {
        access.configure(TestCluster.policy("QOSCFG[inside] QFLAGS=USERESERVED:r1", "QOSCFG[high] PRIORITY=1"));
        Random random = new Random(7);
        int confined = 0;
        int admitted = 0;
        for (int round = 0; round < 200; round++) {
            table.put(reservation(random));
            for (int i = 0; i < 20; i++) {
                Job job = job(random);
                JobAccess expected = expected(job);
                assertThat(access.of(job))
                        .as("%s of %s", job.request(), table.all())
                        .isEqualTo(expected);
                assertThat(access.of(job)).isSameAs(access.of(job));
                assertThat(access.confined(job)).isEqualTo(expected.confined());
                assertThat(access.admitted(job)).isEqualTo(expected.words().contains("*"));
                confined += expected.confined() ? 1 : 0;
                admitted += access.admitted(job) ? 1 : 0;
            }
        }
        assertThat(confined).isBetween(400, 3_600);
        assertThat(admitted).isBetween(200, 3_600);
    }

    private JobAccess expected(Job job) {
        List<String> names = access.names(job);
        StringBuilder words = new StringBuilder();
        boolean confined = !names.isEmpty();
        for (AdministrativeReservation reservation : table.all()) {
            AccessDecision decision = access.decide(job, reservation);
            boolean named =
                    !names.isEmpty() && names.stream().allMatch(name -> name.isEmpty() || reservation.goesBy(name));
            confined |= decision.locked();
            words.append(!decision.allowed() ? '-' : decision.locked() || named ? '*' : '+');
        }
        return new JobAccess(confined, words.toString());
    }

    private static AdministrativeReservation reservation(Random random) {
        List<String> entries = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            entries.add(ENTRIES.get(random.nextInt(ENTRIES.size())));
        }
        return TestReservation.of(
                "r" + random.nextInt(12), 1_000, 2_000, String.join(",", entries), TestReservation.on("n1", 4));
    }

    private static Job job(Random random) {
        return TestJob.waiting(
                random.nextBoolean() ? "j" : "k",
                report -> report.setUser(one(random, "ann", "bob", "carl", "dora"))
                        .setGroup(one(random, "g1", "g2", null))
                        .setAccount(one(random, "chem", "bio", null))
                        .setJobClass(one(random, "long", "short", null))
                        .setQos(one(random, "high", "low", "inside", null))
                        .setReservation(random.nextInt(4) > 0 ? null : one(random, "", "r3", "r5", "r99"))
                        .setFlags(random.nextInt(3) > 0 ? List.of() : List.of("preemptee"))
                        .setTasks(1 + random.nextInt(6))
                        .setWalltimeSeconds(
                                List.of(99L, 100L, 101L, 3_600L, 3_601L, 7_200L).get(random.nextInt(6))));
    }

    private static @Nullable String one(Random random, @Nullable String... all) {
        return all[random.nextInt(all.length)];
    }
}
