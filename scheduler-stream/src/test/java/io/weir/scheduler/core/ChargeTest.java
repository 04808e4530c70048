package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.Charge;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class ChargeTest {
    private static final long HOUR = 3_600;
    private static final String MANAGER = "AMCFG[am] SERVER=file:///tmp/charge.dat ";

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
    private final List<Charge> charges = new ArrayList<>();
    private final Set<Long> chargedSoFar = new LinkedHashSet<>();

    /** What was shown of the reservation, used/reserved in processor seconds, by time. */
    private final SortedMap<Long, String> shown = new TreeMap<>();

    private void iterate(long time) {
        site.iterate(time);
        charges.addAll(site.lastCharges());
        site.publishedReservations.values().forEach(each -> {
            chargedSoFar.add(each.getChargedMillis());
            shown.put(time, each.getUsedProcSeconds() + "/" + each.getReservedProcSeconds());
        });
    }

    private void reserve(boolean accountable) {
        List<NameValue> terms = new ArrayList<>(List.of(
                new NameValue("hostexp", "^n1$"),
                new NameValue("duration", "2:00:00"),
                new NameValue("acl", "user=john,user=steve")));
        if (accountable) {
            terms.add(new NameValue("accountable", "aaccount=jupiter"));
        }
        site.request("r", RequestKind.CREATE_RESERVATION, "-", terms);
        iterate(0);
        assertThat(site.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
    }

    /** A reservation of 4 processors for two hours, in which a job has 2 for the first. */
    private void example(String policy, boolean accountable, boolean job) {
        site.policy(policy).nodes(1, 4);
        reserve(accountable);
        if (job) {
            site.submit("j", 2, 2 * HOUR, report -> report.setUser("john").setAccount("mars"));
            iterate(0);
            for (long time = 600; time < HOUR; time += 600) {
                iterate(time);
            }
            site.end("j", HOUR);
            iterate(HOUR);
        }
        for (long time = job ? HOUR + 600 : 600; time <= 2 * HOUR; time += 600) {
            iterate(time);
        }
        iterate(2 * HOUR + 1);
    }

    private List<Charge> ofReservation() {
        return charges.stream()
                .filter(charge -> charge.getObjectType().equals("reservation"))
                .toList();
    }

    @Test
    @Feature({"CHG-3", "CHG-4", "CHG-6", "CHG-7", "CMD-2"})
    void CG1() {
        example(MANAGER, true, true);
        assertThat(ofReservation()).singleElement().satisfies(charge -> {
            assertThat(charge.getReservedProcSeconds()).isEqualTo(28_800);
            assertThat(charge.getUsedProcSeconds()).isEqualTo(7_200);
            assertThat(charge.getAmountMillis()).isEqualTo(21_600_000);
            assertThat(charge.getAccount()).isEqualTo("jupiter");
            assertThat(charge.getInterim()).isFalse();
            assertThat(charge.getEndReason()).isEqualTo("COMPLETED");
        });
        assertThat(charges)
                .filteredOn(charge -> charge.getObjectType().equals("job"))
                .singleElement()
                .satisfies(charge -> {
                    assertThat(charge.getAmountMillis()).isEqualTo(7_200_000);
                    assertThat(charge.getAccount()).isEqualTo("mars");
                });
    }

    /** What mdiag -r shows as Active PH. */
    @Test
    @Feature({"CHG-4", "CMD-2"})
    void shouldShowWhatIsUsedOfAReservationWhileItLasts() {
        example("", false, true);
        assertThat(shown)
                .as("two of four processors for an hour, then none")
                .containsEntry(600L, "1200/2400")
                .containsEntry(HOUR, "7200/14400")
                .containsEntry(HOUR + 1800, "7200/21600");
    }

    @Test
    @Feature("CHG-10")
    void CG2() {
        example(MANAGER + "FLUSHINTERVAL=0:30:00", true, true);
        assertThat(ofReservation()).hasSize(4);
        assertThat(ofReservation()).extracting(Charge::getInterim).containsExactly(true, true, true, false);
        assertThat(ofReservation().stream().mapToLong(Charge::getAmountMillis).sum())
                .isEqualTo(21_600_000);
        assertThat(chargedSoFar)
                .as("what is shown of it while it lasts")
                .containsExactly(0L, 3_600_000L, 7_200_000L, 14_400_000L);
        assertThat(ofReservation().stream()
                        .mapToLong(Charge::getReservedProcSeconds)
                        .sum())
                .isEqualTo(28_800);
        assertThat(ofReservation()).extracting(Charge::getChargeId).doesNotHaveDuplicates();
    }

    @Test
    @Feature({"CHG-2", "CHG-5"})
    void CG3() {
        example(MANAGER, false, true);
        assertThat(ofReservation()).isEmpty();
        assertThat(site.outputs.stream()
                        .filter(output -> output.value() instanceof Notification notice
                                && notice.getEvent().equals("rsvend")
                                && notice.getText().contains("28800 processor seconds reserved, 21600 unused"))
                        .count())
                .isEqualTo(1);
    }

    @Test
    @Feature("CHG-7")
    void CG4() {
        example(MANAGER + "\nNODECFG[n1] CHARGERATE=1.5", true, true);
        assertThat(ofReservation()).singleElement().satisfies(charge -> {
            assertThat(charge.getAmountMillis()).isEqualTo(32_400_000);
            assertThat(charge.getRateMillis()).isEqualTo(1_500);
        });
    }

    @Test
    @Feature("CHG-7")
    void CG5() {
        site.policy(MANAGER).nodes(1, 4);
        reserve(true);
        String id = site.publishedReservations.keySet().iterator().next();
        site.request("x", RequestKind.RELEASE_RESERVATION, id);
        iterate(HOUR);
        assertThat(ofReservation()).singleElement().satisfies(charge -> {
            assertThat(charge.getReservedProcSeconds()).isEqualTo(14_400);
            assertThat(charge.getAmountMillis()).isEqualTo(14_400_000);
            assertThat(charge.getEndReason()).isEqualTo("RELEASED");
        });
    }

    @Test
    @Feature("CHG-6")
    void shouldChargeThoseWhomAProfileMakesAccountable() {
        site.policy(MANAGER + "\nRSVPROFILE[site] AACCOUNT=jupiter AUSER=io AGROUP=moons AQOS=near\n"
                        + "RSVPROFILE[old] CHARGEACCOUNT=saturn")
                .nodes(2, 4);
        for (String profile : List.of("site", "old")) {
            site.request(
                    profile,
                    RequestKind.CREATE_RESERVATION,
                    "-",
                    List.of(
                            new NameValue("hostexp", profile.equals("site") ? "^n1$" : "^n2$"),
                            new NameValue("duration", "1:00:00"),
                            new NameValue("profile", profile)));
        }
        iterate(0);
        iterate(HOUR + 1);
        assertThat(ofReservation())
                .extracting(Charge::getAccount, Charge::getUser, Charge::getGroup, Charge::getQos)
                .containsExactlyInAnyOrder(
                        org.assertj.core.api.Assertions.tuple("jupiter", "io", "moons", "near"),
                        org.assertj.core.api.Assertions.tuple("saturn", null, null, null));
    }

    @Test
    @Feature("CHG-1")
    void shouldChargeJobsAtTheRatesOfTheirCredentialsInPartsThatAddUp() {
        site.policy(MANAGER + "FLUSHINTERVAL=HOUR\nUSERCFG[ann] CHARGERATE=0.333\nQOSCFG[DEFAULT] CHARGERATE=3")
                .nodes(1, 4)
                .submit("j", 3, 100_000);
        iterate(0);
        for (long time = 1_000; time <= 10_000; time += 1_000) {
            iterate(time);
        }
        site.end("j", 9_500);
        iterate(10_500);
        assertThat(charges).hasSize(3);
        assertThat(charges.get(2).getInterim()).isFalse();
        long sum = charges.stream()
                .mapToLong(charge ->
                        charge.getKind().equals("charge") ? charge.getAmountMillis() : -charge.getAmountMillis())
                .sum();
        assertThat(sum).isEqualTo(3 * 9_500 * 999L);
        assertThat(charges.stream().mapToLong(Charge::getProcessorSeconds).sum())
                .isEqualTo(3 * 9_500);
        assertThat(charges.stream().mapToLong(Charge::getNodeSeconds).sum()).isEqualTo(9_500);
        assertThat(charges).extracting(Charge::getChargeId).doesNotHaveDuplicates();
    }

    @Test
    @Feature("CHG-1")
    void shouldGiveBackWhatAFailedNodeEnded() {
        site.policy(MANAGER + "REFUNDPOLICY=SYSTEMFAILURE\nNODEALLOCRESFAILUREPOLICY CANCEL")
                .nodes(1, 4)
                .submit("j", 2, 10_000);
        iterate(0);
        site.node("n1", 4, NodeState.DOWN);
        iterate(1_000);
        iterate(1_010);
        site.fact(site.job("j", JobState.CANCELLED, 2, 1, 10_000, 0, at(0), at(1_020), List.of(), Long.MAX_VALUE));
        iterate(1_030);
        assertThat(charges).extracting(Charge::getKind).containsExactly("charge", "refund");
        assertThat(charges.get(1).getAmountMillis()).isEqualTo(charges.get(0).getAmountMillis());
        assertThat(charges.get(1).getCorrects()).isEqualTo(charges.get(0).getChargeId());
        assertThat(charges.get(0).getEndReason()).isEqualTo("SYSTEM");
    }

    @Test
    @Feature("CHG-10")
    void shouldGoOnWithTheChargesOfAJobThatWasNotOver() {
        site.policy(MANAGER).nodes(1, 4).submit("j", 1, 10_000);
        iterate(0);
        site.end("j", 1_000);
        iterate(1_010);
        site.fact(site.job(
                "j",
                JobState.RUNNING,
                1,
                1,
                10_000,
                0,
                at(0),
                null,
                List.of(new NodeAllocation("n1", 1)),
                Long.MAX_VALUE));
        iterate(1_020);
        site.end("j", 3_000);
        iterate(3_010);

        assertThat(charges).extracting(Charge::getChargeId).hasSize(2).doesNotHaveDuplicates();
        assertThat(charges.stream().mapToLong(Charge::getAmountMillis).sum()).isEqualTo(3_000_000);
    }

    @Test
    @Feature("CHG-1")
    void shouldChargeCompletedJobsAloneWhereThePolicySaysSo() {
        site.policy(MANAGER + "CHARGEPOLICY=DEBITSUCCESSFULWC FLUSHINTERVAL=0:10:00")
                .nodes(1, 4)
                .submit("j", 1, 10_000);
        iterate(0);
        iterate(2_000);
        assertThat(charges).isEmpty();
        site.end("j", 2_000);
        iterate(2_010);
        assertThat(charges)
                .singleElement()
                .satisfies(charge -> assertThat(charge.getAmountMillis()).isEqualTo(2_000_000));
    }

    @Test
    @Feature("CHG-1")
    void shouldChargeNothingWithoutAnAllocationManager() {
        example("", true, true);
        assertThat(charges).isEmpty();
        assertThat(site.lastResult.nextWake()).isNull();
    }

    @Test
    @Feature("CHG-10")
    void shouldGiveBackWhatWasChargedBehindTheEndOfAJob() {
        site.policy(MANAGER + "FLUSHINTERVAL=HOUR").nodes(1, 4).submit("j", 1, 100_000);
        iterate(0);
        iterate(HOUR);
        assertThat(site.lastResult.nextWake()).isEqualTo(at(2 * HOUR));
        site.end("j", 3_000);
        iterate(HOUR + 10);
        assertThat(charges).extracting(Charge::getKind).containsExactly("charge", "refund");
        assertThat(charges.get(1).getAmountMillis()).isEqualTo(600_000);
        assertThat(charges.get(1).getProcessorSeconds())
                .as("given back, as the amount is")
                .isEqualTo(600);
        assertThat(charges.get(1).getCorrects()).isEqualTo(charges.get(0).getChargeId());
    }

    /** A week of jobs that end early, late, fail with their node or are still there, charged every hour. */
    @Test
    @Feature({"CHG-1", "CHG-10"})
    void shouldChargeOverAWeekWhatAnIndependentCalculationSays() {
        site.policy(MANAGER + "FLUSHINTERVAL=HOUR\nNODECFG[n2] CHARGERATE=1.5").nodes(2, 4);
        java.util.Random random = new java.util.Random(14);
        SortedMap<String, long[]> running = new TreeMap<>();
        Map<String, Long> owed = new TreeMap<>();
        long seconds = 7 * 24 * HOUR;
        int number = 0;
        for (long now = 0; now < seconds; now += 600 + random.nextInt(1_200)) {
            for (Map.Entry<String, long[]> job : List.copyOf(running.entrySet())) {
                // Its end may be told up to an hour and a half late: what was charged behind it is given back.
                if (now >= job.getValue()[1] + job.getValue()[4]) {
                    long end = job.getValue()[1];
                    site.end(job.getKey(), end);
                    owed.put(job.getKey(), (end - job.getValue()[0]) * job.getValue()[2]);
                    running.remove(job.getKey());
                }
            }
            int[] used = new int[3];
            running.values().forEach(each -> used[(int) each[3]] += 1);
            for (int node = 1; node <= 2; node++) {
                if (used[node] < 4 && random.nextBoolean()) {
                    String id = "w" + number++;
                    site.adopt(id, 1, 200_000, now, "n" + node);
                    running.put(id, new long[] {
                        now, now + 60 + random.nextInt(40_000), node == 2 ? 1_500 : 1_000, node, random.nextInt(5_400)
                    });
                }
            }
            iterate(now);
        }
        for (int i = 1; i <= 5; i++) {
            iterate(seconds + i);
        }
        Map<String, Long> paid = new TreeMap<>();
        for (Charge charge : charges) {
            long sign = charge.getKind().equals("refund") ? -1 : 1;
            if (owed.containsKey(charge.getObjectId())) {
                paid.merge(charge.getObjectId(), sign * charge.getAmountMillis(), Long::sum);
            }
        }
        assertThat(owed).hasSizeGreaterThan(100);
        assertThat(charges).extracting(Charge::getChargeId).doesNotHaveDuplicates();
        assertThat(charges)
                .filteredOn(charge -> charge.getKind().equals("refund"))
                .isNotEmpty();
        assertThat(paid).isEqualTo(owed);
    }

    /**
     * A week of jobs that end late, early or with their node, and of reservations that others answer for, with a restart
     * before every input: what the ledger says, what is shown of each reservation, and what is due agree at every instant.
     */
    @Test
    @Feature({"CHG-1", "CHG-6", "CHG-7", "CHG-10", "CMD-2"})
    void shouldShowAndChargeOverAWeekWhatIsDue() {
        site.policy(MANAGER + "FLUSHINTERVAL=HOUR REFUNDPOLICY=SYSTEMFAILURE\nNODEALLOCRESFAILUREPOLICY CANCEL\n"
                        + "NODECFG[n2] CHARGERATE=1.5")
                .nodes(3, 4);
        java.util.Random random = new java.util.Random(4);
        SortedMap<String, WeekRun> running = new TreeMap<>();
        Map<String, Long> owed = new TreeMap<>();
        Map<String, Long> used = new TreeMap<>();
        SortedMap<String, long[]> reserved = new TreeMap<>();
        long seconds = 7 * 24 * HOUR;
        long nextReservation = 2 * HOUR;
        long nextFailure = 9 * HOUR;
        int number = 0;
        for (long now = 0; now < seconds; now += 300 + random.nextInt(900)) {
            for (WeekRun run : List.copyOf(running.values())) {
                if (now >= run.end + run.late) {
                    site.end(run.id, run.end);
                    owed.put(run.id, (run.end - run.start) * run.rate());
                    running.remove(run.id);
                }
            }
            if (now >= nextFailure) {
                nextFailure += 24 * HOUR;
                site.node("n2", 4, NodeState.DOWN);
                weekIterates(now);
                for (WeekRun run : List.copyOf(running.values())) {
                    if (run.node == 2 && now < run.end) {
                        site.fact(site.job(
                                run.id,
                                JobState.CANCELLED,
                                1,
                                1,
                                200_000,
                                run.start,
                                at(run.start),
                                at(now),
                                List.of(),
                                Long.MAX_VALUE));
                        owed.put(run.id, 0L);
                        running.remove(run.id);
                    }
                }
                site.node("n2", 4, NodeState.IDLE);
            }
            for (int node = 1; node <= 3; node++) {
                int on = node;
                long busy =
                        running.values().stream().filter(run -> run.node == on).count();
                if (busy < 4 && random.nextBoolean()) {
                    String id = "w" + number++;
                    site.adopt(id, 1, 200_000, now, "n" + node);
                    long end = now + 60 + random.nextInt(30_000);
                    running.put(id, new WeekRun(id, node, now, end, node == 3 ? 0 : random.nextInt(5_400)));
                }
            }
            if (now >= nextReservation) {
                nextReservation += 11 * HOUR;
                site.request(
                        "r" + now,
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "^n3$"),
                                new NameValue("duration", "7:00:00"),
                                new NameValue("acl", "user=ann"),
                                new NameValue("flags", "ignjobrsv"),
                                new NameValue("accountable", "aaccount=jupiter")));
                weekIterates(now);
                assertThat(site.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
                String id = site.publishedReservations.keySet().stream()
                        .filter(each -> !reserved.containsKey(each))
                        .findFirst()
                        .orElseThrow();
                reserved.put(id, new long[] {now, now + 7 * HOUR});
            }
            weekIterates(now);
        }
        for (int i = 1; i <= 5; i++) {
            weekIterates(seconds + 8 * HOUR + i);
        }

        Map<String, Long> paid = paid(charges);
        assertThat(owed).hasSizeGreaterThan(100);
        assertThat(owed.values()).as("given back with its node").contains(0L);
        owed.forEach(
                (id, amount) -> assertThat(paid.getOrDefault(id, 0L)).as(id).isEqualTo(amount));
        assertThat(reserved).hasSizeGreaterThan(12);
        Map<String, Long> unused = new TreeMap<>();
        for (Charge charge : ofReservation()) {
            long sign = charge.getKind().equals("refund") ? -1 : 1;
            unused.merge(
                    charge.getObjectId(),
                    sign * (charge.getReservedProcSeconds() - charge.getUsedProcSeconds()),
                    Long::sum);
            used.merge(charge.getObjectId(), sign * charge.getUsedProcSeconds(), Long::sum);
        }
        reserved.forEach((id, span) -> {
            assertThat(unused.get(id) + used.get(id)).as(id).isEqualTo(4 * (span[1] - span[0]));
            assertThat(paid.get(id)).as(id).isEqualTo(1_000 * unused.get(id));
        });
        assertThat(used.values()).anyMatch(each -> each > 0);
        assertThat(charges).extracting(Charge::getChargeId).doesNotHaveDuplicates();
    }

    /** A job of the week; its end is told {@code late} seconds late. */
    private record WeekRun(String id, int node, long start, long end, int late) {
        long rate() {
            return node == 2 ? 1_500 : 1_000;
        }
    }

    /** Iterates; what is shown of each reservation is what the ledger charged for it. */
    private void weekIterates(long time) {
        iterate(time);
        Map<String, Long> paid = paid(charges);
        site.publishedReservations
                .values()
                .forEach(shown -> assertThat(shown.getChargedMillis())
                        .as("%s at %s", shown.getReservationId(), time)
                        .isEqualTo(paid.getOrDefault(shown.getReservationId(), 0L)));
    }

    private static Map<String, Long> paid(List<Charge> charges) {
        Map<String, Long> paid = new TreeMap<>();
        charges.forEach(charge -> paid.merge(
                charge.getObjectId(),
                charge.getKind().equals("refund") ? -charge.getAmountMillis() : charge.getAmountMillis(),
                Long::sum));
        return paid;
    }
}
