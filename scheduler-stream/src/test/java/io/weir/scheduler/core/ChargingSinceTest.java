package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.Charge;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was under way when charging began, or ended for a while: charges add up to what was used while there was charging. */
@NullUnmarked
class ChargingSinceTest {
    private static final long HOUR = 3_600;
    private static final String MANAGER = "AMCFG[am] SERVER=file:///tmp/charge.dat ";

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
    private final List<Charge> charges = new ArrayList<>();

    private void iterate(long time) {
        site.iterate(time);
        charges.addAll(site.lastCharges());
    }

    private static long signed(Charge charge, long amount) {
        return charge.getKind().equals("refund") ? -amount : amount;
    }

    /** Returns the processor seconds charged, by job or reservation. */
    private SortedMap<String, Long> charged() {
        SortedMap<String, Long> charged = new TreeMap<>();
        for (Charge charge : charges) {
            assertThat(charge.getAmountMillis()).isEqualTo(1_000 * charge.getProcessorSeconds());
            charged.merge(charge.getObjectId(), signed(charge, charge.getProcessorSeconds()), Long::sum);
        }
        assertThat(charges).extracting(Charge::getChargeId).doesNotHaveDuplicates();
        return charged;
    }

    @Test
    @Feature({"CHG-1", "CHG-10"})
    void shouldChargeAJobThatRunsFromTheInstantOnInWhichChargingBegins() {
        site.policy("").nodes(1, 4).adopt("j", 2, 100_000, 0, "n1");
        iterate(0);
        site.policy(MANAGER + "FLUSHINTERVAL=HOUR");
        iterate(500);
        assertThat(site.lastResult.nextWake()).isEqualTo(at(500 + HOUR));
        iterate(500 + HOUR);
        assertThat(charges).singleElement().satisfies(charge -> {
            assertThat(charge.getInterim()).isTrue();
            assertThat(charge.getStart()).isEqualTo(at(500));
            assertThat(charge.getEnd()).isEqualTo(at(500 + HOUR));
            assertThat(charge.getProcessorSeconds()).isEqualTo(2 * HOUR);
        });
        site.end("j", 6_000);
        iterate(6_010);
        assertThat(charges)
                .hasSize(2)
                .last()
                .satisfies(charge -> assertThat(charge.getStart()).isEqualTo(at(500 + HOUR)));
        assertThat(charged()).containsExactly(Map.entry("j", 2 * 5_500L));
    }

    @Test
    @Feature({"CHG-1", "CHG-10"})
    void shouldChargeAJobThatIsHeardOfLaterAsIfItHadBeenKnownWhenChargingBegan() {
        site.policy(MANAGER + "FLUSHINTERVAL=HOUR").nodes(1, 4);
        iterate(1_000);
        site.adopt("j", 2, 100_000, 0, "n1");
        iterate(2_000);
        assertThat(charges).isEmpty();
        iterate(1_000 + HOUR);
        assertThat(charged()).containsExactly(Map.entry("j", 2 * HOUR));
        site.end("j", 5_000);
        iterate(5_010);
        assertThat(charged()).containsExactly(Map.entry("j", 2 * 4_000L));
    }

    @Test
    @Feature("CHG-1")
    void shouldNotGiveBackWhatWasNeverChargedForAJobThatWasOverAlready() {
        site.policy("").nodes(1, 4).adopt("j", 2, 100_000, 0, "n1");
        iterate(0);
        site.policy(MANAGER);
        iterate(500);
        site.end("j", 300);
        iterate(510);
        assertThat(charged().getOrDefault("j", 0L)).isZero();
        assertThat(charges).extracting(Charge::getKind).doesNotContain("refund");
    }

    @Test
    @Feature("CHG-1")
    void shouldNotChargeAJobTwiceWhoseStartIsCorrectedToBeforeChargingBegan() {
        site.policy(MANAGER + "FLUSHINTERVAL=HOUR").nodes(1, 4);
        iterate(1_000);
        site.adopt("j", 2, 100_000, 2_000, "n1");
        iterate(2_000);
        iterate(2_000 + HOUR);
        assertThat(charged()).containsExactly(Map.entry("j", 2 * HOUR));
        site.adopt("j", 2, 100_000, 0, "n1");
        iterate(6_000);
        site.end("j", 7_000);
        iterate(7_010);
        assertThat(charged()).containsExactly(Map.entry("j", 2 * 6_000L));
    }

    @Test
    @Feature({"CHG-1", "CHG-10"})
    void shouldChargeAJobForTheTimesInWhichThereIsCharging() {
        site.policy(MANAGER + "FLUSHINTERVAL=HOUR").nodes(1, 4).adopt("j", 1, 100_000, 0, "n1");
        iterate(0);
        site.policy("");
        iterate(1_000);
        assertThat(charged()).containsExactly(Map.entry("j", 1_000L));
        iterate(1_000 + 2 * HOUR);
        site.policy(MANAGER + "FLUSHINTERVAL=HOUR");
        iterate(10_000);
        site.end("j", 10_400);
        iterate(10_500);
        assertThat(charged()).containsExactly(Map.entry("j", 1_400L));
        assertThat(charges).extracting(Charge::getStart).containsExactly(at(0), at(10_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"DEBITALLCPU", "DEBITSUCCESSFULCPU"})
    @Feature("CHG-1")
    void shouldNotChargeProcessorTimeUsedBeforeChargingBegan(String policy) {
        site.policy("").nodes(1, 4);
        used("j", JobState.RUNNING, 700, null);
        iterate(0);
        site.policy(MANAGER + "CHARGEPOLICY=" + policy);
        iterate(500);
        used("late", JobState.RUNNING, 40, null);
        iterate(600);
        used("j", JobState.COMPLETED, 1_200, 900L);
        used("late", JobState.COMPLETED, 100, 900L);
        iterate(910);
        assertThat(charged()).containsExactly(Map.entry("j", 500L), Map.entry("late", 60L));
    }

    private void used(String id, JobState state, long cpuSeconds, Long end) {
        List<NodeAllocation> nodes = end == null ? List.of(new NodeAllocation("n1", 1)) : List.of();
        JobReport report =
                site.job(id, state, 1, 1, 10_000, 0, at(0), end == null ? null : at(end), nodes, Long.MAX_VALUE);
        site.fact(JobReport.newBuilder(report).setUsedCpuSeconds(cpuSeconds).build());
    }

    @Test
    @Feature("CHG-1")
    void shouldChargeACompletedJobFromTheInstantOnInWhichChargingBeganAnew() {
        String manager = MANAGER + "CHARGEPOLICY=DEBITSUCCESSFULWC";
        site.policy(manager).nodes(1, 4).adopt("j", 1, 100_000, 0, "n1");
        iterate(0);
        site.policy("");
        iterate(1_000);
        site.policy(manager);
        iterate(3_000);
        assertThat(charges).isEmpty();
        site.end("j", 5_000);
        iterate(5_010);
        assertThat(charged()).containsExactly(Map.entry("j", 2_000L));
    }

    @Test
    @Feature({"CHG-7", "CHG-10"})
    void shouldChargeAReservationForTheTimesInWhichThereIsCharging() {
        site.policy("").nodes(1, 4);
        iterate(0);
        site.request(
                "r",
                RequestKind.CREATE_RESERVATION,
                "-",
                List.of(
                        new NameValue("hostexp", "^n1$"),
                        new NameValue("duration", "4:00:00"),
                        new NameValue("accountable", "aaccount=jupiter")));
        iterate(0);
        String id = site.publishedReservations.keySet().iterator().next();
        site.policy(MANAGER + "FLUSHINTERVAL=HOUR");
        iterate(1_000);
        iterate(1_000 + HOUR);
        assertThat(charged()).containsExactly(Map.entry(id, 4 * HOUR));
        site.policy("");
        iterate(5_000);
        assertThat(charged()).containsExactly(Map.entry(id, 4 * 4_000L));
        iterate(9_000);
        site.policy(MANAGER);
        iterate(10_000);
        iterate(4 * HOUR);
        iterate(4 * HOUR + 1);
        assertThat(charged()).containsExactly(Map.entry(id, 4 * (4_000L + 4 * HOUR - 10_000)));
    }

    /** Jobs of all lengths, while charging comes and goes: an independent calculation says what is due. */
    @Test
    @Feature({"CHG-1", "CHG-10"})
    void shouldAddUpToWhatJobsUsedWhileThereWasCharging() {
        Random random = new Random(4);
        site.nodes(2, 8);
        SortedMap<String, long[]> running = new TreeMap<>();
        SortedMap<String, Long> owed = new TreeMap<>();
        boolean charging = false;
        long last = 0;
        int number = 0;
        site.policy("");
        for (long now = 0; now < 5 * 24 * HOUR; now += 120 + random.nextInt(2_000)) {
            for (String id : List.copyOf(running.keySet())) {
                if (charging) {
                    owed.merge(id, (now - Math.max(last, running.get(id)[0])) * running.get(id)[1], Long::sum);
                }
                if (random.nextInt(12) == 0) {
                    site.end(id, now);
                    running.remove(id);
                }
            }
            if (running.size() < 6) {
                String id = "j" + number++;
                long procs = 1 + random.nextInt(2);
                site.adopt(id, (int) procs, 500_000, now, "n" + (1 + random.nextInt(2)));
                running.put(id, new long[] {now, procs});
            }
            if (random.nextInt(15) == 0) {
                charging = !charging;
                site.policy(charging ? MANAGER + "FLUSHINTERVAL=HOUR" : "");
            }
            iterate(now);
            last = now;
        }
        site.policy("");
        long end = last + 10;
        if (charging) {
            running.forEach((id, run) -> owed.merge(id, 10 * run[1], Long::sum));
        }
        for (int i = 0; i < 5; i++) {
            iterate(end + i);
        }
        assertThat(owed).hasSizeGreaterThan(40);
        SortedMap<String, Long> charged = charged();
        charged.values().removeIf(seconds -> seconds == 0);
        owed.values().removeIf(seconds -> seconds == 0);
        assertThat(charged).isEqualTo(owed);
    }
}
