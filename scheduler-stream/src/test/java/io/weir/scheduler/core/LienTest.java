package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.Charge;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TriggerFiring;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where AMCFG says what is done when an account cannot pay, the allocation manager is asked before a job starts. */
@NullUnmarked
class LienTest {
    private static final String MANAGER = "AMCFG[am] SERVER=https://am.example.org/ ";
    private static final String FALLBACK = MANAGER + "FALLBACKACCOUNT=common";
    private static final String DEFER = MANAGER + "DEFERJOBONFAILURE=TRUE";
    private static final String BOTH = FALLBACK + " DEFERJOBONFAILURE=TRUE";

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private void waits(String policy) {
        site.policy(policy).nodes(2, 4).iterate(0);
        submit("j", 2);
    }

    private void submit(String id, int tasks) {
        site.submit(id, tasks, 3_600, report -> report.setUser("ann").setAccount("mars"));
    }

    private List<TriggerFiring> liens() {
        return site.lastFirings().stream()
                .filter(firing -> firing.getActionType().equals("lien"))
                .toList();
    }

    private TriggerFiring lien() {
        assertThat(liens()).hasSize(1);
        return liens().get(0);
    }

    private void answer(TriggerFiring firing, DeliveryOutcome outcome) {
        site.fact(DeliveryResult.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setDeliveryId(firing.getFiringId())
                .setChannel("action.lien")
                .setOutcome(outcome)
                .setAttempts(1)
                .setTime(at(0))
                .setKind("firing")
                .setTriggerId(firing.getTriggerId())
                .setMessage("HTTP 402")
                .build());
    }

    /** Something else is delivered that happens to have the number of {@code firing}. */
    private void deliverNamesake(TriggerFiring firing, String kind) {
        site.fact(DeliveryResult.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setDeliveryId(firing.getFiringId())
                .setChannel("file")
                .setOutcome(DeliveryOutcome.DELIVERED)
                .setAttempts(1)
                .setTime(at(0))
                .setKind(kind)
                .build());
    }

    private JobState state(String job) {
        return site.job(job).getState();
    }

    private List<Notification> notices(String event) {
        return site.outputs.stream()
                .map(Output::value)
                .filter(Notification.class::isInstance)
                .map(Notification.class::cast)
                .filter(notice -> notice.getEvent().equals(event))
                .toList();
    }

    private List<String> paid() {
        site.end("j", 1_000).iterate(1_000);
        return site.lastCharges().stream().map(Charge::getAccount).toList();
    }

    @Test
    @Feature("CHG-1")
    void shouldAskForWhatAJobWillCostAndStartItWhenThatIsSetAside() {
        waits(DEFER + "\nNODECFG[DEFAULT] CHARGERATE=2\nACCOUNTCFG[mars] CHARGERATE=1.5");
        site.iterate(10);
        TriggerFiring lien = lien();
        Map<String, String> said =
                lien.getSettings().stream().collect(Collectors.toMap(NameValue::getName, NameValue::getValue));
        assertThat(said)
                .containsEntry("account", "mars")
                .containsEntry("user", "ann")
                .containsEntry("amount", "21600.000")
                .containsEntry("processors", "2")
                .containsEntry("seconds", "3600");
        assertThat(lien.getExpires()).isEqualTo(at(20));
        assertThat(lien.getTimeoutMillis()).isEqualTo(10_000);
        assertThat(state("j")).isEqualTo(JobState.IDLE);
        assertThat(site.publishedExplanations.get("j").getMessage())
                .contains("waits for the allocation manager to say whether account mars can pay for it");
        site.iterate(11);
        assertThat(liens()).as("it is asked once").isEmpty();
        answer(lien, DeliveryOutcome.DELIVERED);
        site.iterate(12);
        assertThat(state("j")).isIn(JobState.STARTING, JobState.RUNNING);
        assertThat(paid()).containsExactly("mars");
    }

    /** It asks for two processors, and would have a node of four to itself. */
    @Test
    @Feature("CHG-1")
    void shouldAskForWhatTheNodesCostThatAJobWouldHave() {
        waits(DEFER + "\nNODEACCESSPOLICY SINGLEJOB\nNODECFG[n1] CHARGERATE=2\nNODECFG[n2] CHARGERATE=2");
        site.iterate(10);
        TriggerFiring lien = lien();
        assertThat(lien.getSettings()).contains(new NameValue("processors", "4"), new NameValue("amount", "28800.000"));

        answer(lien, DeliveryOutcome.DELIVERED);
        site.iterate(12).end("j", 3_612).iterate(3_612);
        assertThat(site.lastCharges()).extracting(Charge::getAmountMillis).containsExactly(28_800_000L);
    }

    @Test
    @Feature("CHG-1")
    void shouldKeepTheNodesOfAJobForWhichItAsks() {
        waits(DEFER);
        site.iterate(10);
        TriggerFiring lien = lien();
        site.submit("behind", 8, 100).iterate(11);
        assertThat(state("behind")).isEqualTo(JobState.IDLE);
        assertThat(liens()).as("it does not fit").isEmpty();
        answer(lien, DeliveryOutcome.DELIVERED);
        site.iterate(12);
        assertThat(state("j")).isIn(JobState.STARTING, JobState.RUNNING);
    }

    @Test
    @Feature("CHG-1")
    void shouldChargeTheFallbackAccountWhereAJobsOwnCannotPay() {
        waits(FALLBACK);
        site.iterate(10);
        answer(lien(), DeliveryOutcome.FAILED);
        site.iterate(12);
        assertThat(liens()).isEmpty();
        assertThat(state("j")).isIn(JobState.STARTING, JobState.RUNNING);
        assertThat(site.job("j").getMessages())
                .anyMatch(text -> text.contains("account mars cannot pay for it, common is to: HTTP 402"));
        site.fact(JobReport.newBuilder(site.job(
                        "j",
                        JobState.RUNNING,
                        2,
                        1,
                        3_600,
                        0,
                        at(12),
                        null,
                        site.job("j").getAllocation(),
                        Long.MAX_VALUE))
                .setUser("ann")
                .setAccount("mars")
                .build());
        site.iterate(20);
        assertThat(site.job("j").getAccount())
                .as("whatever the resource manager says")
                .isEqualTo("common");
        assertThat(paid()).containsExactly("common");
    }

    @Test
    @Feature("CHG-1")
    void shouldDeferAJobThatNobodyPaysForAndAskAgain() {
        waits(DEFER + "\nDEFERTIME=10:00");
        site.iterate(10);
        answer(lien(), DeliveryOutcome.FAILED);
        site.iterate(12);
        assertThat(state("j")).isEqualTo(JobState.IDLE);
        assertThat(notices("jobdefer"))
                .singleElement()
                .satisfies(
                        notice -> assertThat(notice.getText())
                                .isEqualTo(
                                        "job j deferred: the allocation manager refuses, account mars cannot pay for it: HTTP 402"));
        assertThat(site.lastResult.nextWake()).isEqualTo(at(612));
        site.iterate(611);
        assertThat(liens()).isEmpty();
        site.iterate(612);
        answer(lien(), DeliveryOutcome.DELIVERED);
        site.iterate(613);
        assertThat(state("j")).isIn(JobState.STARTING, JobState.RUNNING);
    }

    @Test
    @Feature("CHG-1")
    void shouldAskForTheFallbackAccountBeforeItDefers() {
        waits(BOTH);
        site.iterate(10);
        answer(lien(), DeliveryOutcome.FAILED);
        site.iterate(12);
        assertThat(state("j")).isEqualTo(JobState.IDLE);
        assertThat(lien().getSettings()).contains(new NameValue("account", "common"));
        answer(lien(), DeliveryOutcome.FAILED);
        site.iterate(13);
        assertThat(notices("jobdefer")).hasSize(1);
        assertThat(liens()).isEmpty();
        assertThat(state("j")).isEqualTo(JobState.IDLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"REFUSED", "EXPIRED", "DEAD", "UNCERTAIN"})
    @Feature("CHG-1")
    void shouldNotTakeSilenceForARefusal(DeliveryOutcome outcome) {
        waits(FALLBACK);
        site.iterate(10);
        answer(lien(), outcome);
        site.iterate(12);
        assertThat(state("j")).isIn(JobState.STARTING, JobState.RUNNING);
        assertThat(site.job("j").getAccount()).isEqualTo("mars");
        assertThat(notices("amfailure")).hasSize(1);
    }

    @Test
    @Feature("CHG-1")
    void shouldNotWaitForAnAnswerForEver() {
        waits(FALLBACK + " TIMEOUT=20");
        site.iterate(10);
        TriggerFiring lien = lien();
        assertThat(site.lastResult.nextWake()).isEqualTo(at(60));
        site.iterate(59);
        assertThat(state("j")).isEqualTo(JobState.IDLE);
        site.iterate(60);
        assertThat(state("j")).isIn(JobState.STARTING, JobState.RUNNING);
        assertThat(notices("amfailure"))
                .singleElement()
                .satisfies(notice -> assertThat(notice.getText())
                        .contains("whether 1 jobs can be paid for, such as j (no answer came in time)"));
        answer(lien, DeliveryOutcome.FAILED);
        site.iterate(61);
        assertThat(site.job("j").getAccount()).as("too late").isEqualTo("mars");
    }

    @Test
    @Feature("CHG-1")
    void shouldDeferButNeverHoldAJobOfWhichNothingIsHeard() {
        waits(DEFER + "\nDEFERCOUNT=1\nDEFERTIME=60");
        for (long time = 10; time < 400; time += 100) {
            site.iterate(time);
            site.iterate(time + 40);
        }
        assertThat(notices("jobdefer")).hasSize(4);
        assertThat(notices("jobhold")).isEmpty();
    }

    @Test
    @Feature("CHG-1")
    void shouldAskAgainForAJobThatStartsAnew() {
        waits(DEFER);
        site.iterate(10);
        answer(lien(), DeliveryOutcome.DELIVERED);
        site.iterate(12);
        site.report("j", JobState.RUNNING, Long.MAX_VALUE).iterate(20);
        site.request("r", RequestKind.REQUEUE_JOB, "j").iterate(30);
        site.report("j", JobState.IDLE, Long.MAX_VALUE).iterate(40);
        site.iterate(41);
        assertThat(site.outputs.stream()
                        .filter(output -> output.value() instanceof TriggerFiring firing
                                && firing.getActionType().equals("lien"))
                        .count())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AMCFG[am] SERVER=https://am.example.org/",
                "AMCFG[am] SERVER=file:///charges DEFERJOBONFAILURE=TRUE FALLBACKACCOUNT=common",
                MANAGER + "DEFERJOBONFAILURE=FALSE",
                DEFER + "\nSCHEDCFG[s] MODE=MONITOR",
                ""
            })
    @Feature("CHG-1")
    void shouldAskNobodyWhereNothingFollowsFromTheAnswer(String policy) {
        waits(policy);
        site.iterate(10);
        assertThat(liens()).isEmpty();
    }

    @Test
    @Feature("CHG-1")
    void shouldSayWhatOfTheSettingsHasNoEffect() {
        assertThat(problems("AMCFG[am] SERVER=file:///charges DEFERJOBONFAILURE=TRUE"))
                .containsExactly("AMCFG[am] DEFERJOBONFAILURE has no effect: only an allocation manager whose SERVER is"
                        + " http:// or https:// is asked before a job starts; others take every charge");
        assertThat(problems(DEFER + "\nAMCFG[b] SERVER=file:///charges CHARGEPOLICY=DEBITALLCPU"))
                .containsExactly(
                        "AMCFG[b] CHARGEPOLICY is ignored: all allocation managers are charged as the first one"
                                + " says, AMCFG[am]");
        assertThat(problems(MANAGER + "FLUSHINTERVAL=0:00:10"))
                .containsExactly("AMCFG[am] FLUSHINTERVAL is shorter than 60 s, which are taken instead");
        assertThat(problems(MANAGER + "FLUSHINTERVAL=0:01:00")).isEmpty();
        assertThat(problems(BOTH)).isEmpty();
    }

    private static List<String> problems(String policy) {
        return SitePolicy.read(policy).problems().stream()
                .filter(problem ->
                        problem.level() == io.weir.scheduler.core.policy.language.PolicyProblem.Level.WARNING)
                .map(problem -> problem.parameter() + " " + problem.message())
                .toList();
    }

    @Test
    @Feature("CHG-1")
    void shouldNotTakeADeliveredNotificationForTheAnswer() {
        waits(DEFER);
        site.iterate(10);
        TriggerFiring lien = lien();
        deliverNamesake(lien, "notification");
        deliverNamesake(lien, "charge");
        site.iterate(11);
        assertThat(state("j")).isEqualTo(JobState.IDLE);

        answer(lien, DeliveryOutcome.FAILED);
        site.iterate(12);
        assertThat(state("j")).isNotEqualTo(JobState.RUNNING);
        assertThat(site.outputs)
                .extracting(Output::value)
                .anyMatch(value -> value.toString().contains("cannot pay for it"));
    }
}
