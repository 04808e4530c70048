package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.Charge;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job costs: processors times seconds, times the rates of its node and of each of its credentials. */
@NullUnmarked
class ChargeRatesTest {
    private static final long HOUR = 3_600;
    private static final String MANAGER = "AMCFG[am] SERVER=file:///tmp/charge.dat\n";

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
    private final List<Charge> charges = new ArrayList<>();

    private void iterate(long time) {
        site.iterate(time);
        charges.addAll(site.lastCharges());
    }

    /** Charges a job of 2 processors for 1000 seconds by {@code rates}; returns the charge in thousandths. */
    private long charged(String rates) {
        site.policy(MANAGER + rates.replace(';', '\n'))
                .nodes(1, 4)
                .submit(
                        "j",
                        2,
                        10_000,
                        job -> job.setUser("ann")
                                .setGroup("staff")
                                .setAccount("mars")
                                .setJobClass("batch")
                                .setQos("high"));
        iterate(0);
        site.end("j", 1_000);
        iterate(1_010);
        assertThat(charges).singleElement().satisfies(charge -> {
            assertThat(charge.getInterim()).isFalse();
            assertThat(charge.getProcessorSeconds()).isEqualTo(2_000);
        });
        return charges.get(0).getAmountMillis();
    }

    @ParameterizedTest
    @CsvSource({
        "CLASSCFG[batch], 2.5, 5000000",
        "GROUPCFG[staff], 2.5, 5000000",
        "ACCOUNTCFG[mars], 2.5, 5000000",
        "USERCFG[ann], 2.5, 5000000",
        "QOSCFG[high], 2.5, 5000000",
        "NODECFG[n1], 2.5, 5000000",
        "CLASSCFG[DEFAULT], 0.5, 1000000",
        "GROUPCFG[DEFAULT], 0.5, 1000000",
        "ACCOUNTCFG[DEFAULT], 0.5, 1000000",
        "USERCFG[DEFAULT], 0.5, 1000000",
        "QOSCFG[DEFAULT], 0.5, 1000000",
        "NODECFG[DEFAULT], 0.5, 1000000",
        "CLASSCFG[other], 2.5, 2000000",
        "GROUPCFG[other], 2.5, 2000000",
        "ACCOUNTCFG[other], 2.5, 2000000",
        "USERCFG[other], 2.5, 2000000",
        "QOSCFG[other], 2.5, 2000000",
        "USERCFG[ann], 0, 0"
    })
    @Feature("CHG-1")
    void shouldChargeAtTheRateOfEach(String object, String rate, long amount) {
        assertThat(charged(object + " CHARGERATE=" + rate)).isEqualTo(amount);
    }

    @Test
    @Feature("CHG-1")
    void shouldChargeAtTheProductOfAll() {
        assertThat(charged("CLASSCFG[batch] CHARGERATE=2;GROUPCFG[staff] CHARGERATE=3;ACCOUNTCFG[mars] CHARGERATE=5;"
                        + "USERCFG[ann] CHARGERATE=7;QOSCFG[high] CHARGERATE=11;NODECFG[n1] CHARGERATE=1.5"))
                .isEqualTo(2_000L * 2 * 3 * 5 * 7 * 11 * 1_500);
    }

    @Test
    @Feature("CHG-1")
    void shouldTakeTheRateOfACredentialBeforeThatOfAll() {
        assertThat(charged("USERCFG[DEFAULT] CHARGERATE=9;USERCFG[ann] CHARGERATE=2;NODECFG[DEFAULT] CHARGERATE=9;"
                        + "NODECFG[n1] CHARGERATE=3"))
                .isEqualTo(2_000L * 2 * 3_000);
    }

    @Test
    @Feature("CHG-1")
    void shouldChargeProcessorTimeUsedAtTheMeanRateOfTheProcessorsHeld() {
        site.policy("AMCFG[am] SERVER=file:///tmp/charge.dat CHARGEPOLICY=DEBITALLCPU\n"
                        + "NODECFG[n1] CHARGERATE=3\nNODECFG[n2] CHARGERATE=0")
                .nodes(2, 2)
                .submit("j", 4, 10_000);
        iterate(0);
        site.runs("j", report -> report.setUsedCpuSeconds(500L)).end("j", 1_000);
        iterate(1_010);

        assertThat(charges).singleElement().satisfies(charge -> {
            assertThat(charge.getProcessorSeconds()).isEqualTo(500);
            assertThat(charge.getRateMillis()).isEqualTo(1_500);
            assertThat(charge.getAmountMillis()).isEqualTo(500 * 1_500);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " FLUSHINTERVAL=0:05:00"})
    @Feature("CHG-1")
    void shouldChargeAJobAtTheRateThatWasInForce(String flush) {
        site.policy(rated(flush, 1)).nodes(1, 4).submit("j", 2, 10_000);
        iterate(0);
        iterate(400);
        site.policy(rated(flush, 3));
        iterate(500);
        iterate(900);
        site.end("j", 1_000);
        iterate(1_010);

        assertThat(amount("j")).isEqualTo(2 * (500 * 1_000 + 500 * 3_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " FLUSHINTERVAL=0:05:00"})
    @Feature("CHG-1")
    void shouldChargeWhatAReservationKeepsUnusedAtTheRateThatWasInForce(String flush) {
        site.policy(rated(flush, 1)).nodes(1, 4);
        String id = reserved("^n1$");
        iterate(400);
        site.policy(rated(flush, 3));
        iterate(500);
        iterate(900);
        iterate(1_000);
        iterate(1_001);

        assertThat(amount(id)).isEqualTo(4 * (500 * 1_000 + 500 * 3_000));
    }

    @Test
    @Feature("CHG-1")
    void shouldChargeWhatAReservationKeepsUnusedAtTheRateOfItsNode() {
        site.policy(MANAGER + "NODECFG[n1] CHARGERATE=0.1\nNODECFG[n2] CHARGERATE=10")
                .nodes(2, 4);
        String id = reserved(".*");
        site.adopt("j", 4, 10_000, 0, "n2");
        iterate(500);
        iterate(1_000);
        iterate(1_001);

        assertThat(amount(id)).isEqualTo(4 * 1_000 * 100);
    }

    private static String rated(String flush, int rate) {
        return MANAGER.stripTrailing() + flush + "\nNODECFG[n1] CHARGERATE=" + rate;
    }

    /** Reserves nodes for 1000 seconds that any of the users may use; returns the id. */
    private String reserved(String nodes) {
        iterate(0);
        site.request(
                "r",
                RequestKind.CREATE_RESERVATION,
                "-",
                List.of(
                        new NameValue("hostexp", nodes),
                        new NameValue("acl", "USER==ann"),
                        new NameValue("duration", "1000"),
                        new NameValue("accountable", "aaccount=jupiter")));
        iterate(0);
        return site.publishedReservations.keySet().iterator().next();
    }

    /** Returns what was charged for {@code id}, less what was given back, in thousandths. */
    private long amount(String id) {
        return charges.stream()
                .filter(charge -> charge.getObjectId().equals(id))
                .mapToLong(charge ->
                        charge.getKind().equals("refund") ? -charge.getAmountMillis() : charge.getAmountMillis())
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "AMCFG[am] FLUSHINTERVAL=DAY", "AMCFG[am] FLUSHINTERVAL=24:00:00"})
    @Feature({"CHG-1", "CHG-10"})
    void shouldChargeAJobThatLastsOnceADay(String flush) {
        site.policy(MANAGER + flush).nodes(1, 4).submit("j", 2, 100 * HOUR);
        for (long hour = 0; hour <= 60; hour++) {
            iterate(hour * HOUR);
        }
        assertThat(charges).extracting(Charge::getInterim).containsExactly(true, true);
        assertThat(charges).extracting(Charge::getEnd).containsExactly(at(24 * HOUR), at(48 * HOUR));
        assertThat(charges).extracting(Charge::getAmountMillis).containsOnly(2 * 24 * HOUR * 1_000);
        site.end("j", 60 * HOUR);
        iterate(60 * HOUR + 1);
        assertThat(charges).last().satisfies(charge -> {
            assertThat(charge.getInterim()).isFalse();
            assertThat(charge.getAmountMillis()).isEqualTo(2 * 12 * HOUR * 1_000);
        });
    }
}
