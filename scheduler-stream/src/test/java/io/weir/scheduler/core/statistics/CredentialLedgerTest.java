package io.weir.scheduler.core.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.job.JobOptions;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.extension.JobExtension;
import io.weir.scheduler.core.priority.CredentialKind;
import io.weir.schemas.JobState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What is counted of credentials, to the limits of what there is room for. */
@NullUnmarked
class CredentialLedgerTest {
    private static final int PROCS = 4;

    private final CredentialLedger ledger = new CredentialLedger();

    @Test
    void shouldCountCredentialsThatFindNoRoomTogether() {
        ledger.begin(0, 0);
        for (int user = 0; user < CredentialLedger.MOST_OF_A_KIND + 3; user++) {
            run("u" + user, 0, 10);
        }

        Map<String, CredentialUse> users = ledger.of(CredentialKind.USER, List.of(running("v", 10)), 20);

        assertThat(users).hasSize(CredentialLedger.MOST_OF_A_KIND + 1).doesNotContainKey("v");
        CredentialUse others = users.get("");
        assertThat(others.totals().ended()).isEqualTo(3);
        assertThat(others.activeJobs()).isEqualTo(1);
        assertThat(others.procSeconds()).isEqualTo(4 * 10 * PROCS);
        assertThat(ledger.all(List.of(), 20).totals().ended()).isEqualTo(CredentialLedger.MOST_OF_A_KIND + 3L);

        CredentialLedger again = restored();
        assertThat(again.ids()).isEqualTo(ledger.ids());
        assertThat(again.of(CredentialKind.USER, List.of(), 20).get("").procSeconds())
                .isEqualTo(3 * 10 * PROCS);
    }

    @Test
    void shouldStayWithinALongWhateverIsReported() {
        ledger.begin(0, 0);
        for (int i = 0; i < 20; i++) {
            Job huge = job("u", Integer.MAX_VALUE, Long.MAX_VALUE, 0)
                    .running(JobState.RUNNING, 1, List.of())
                    .done();
            ledger.follow(
                    huge,
                    huge.edit()
                            .finished(JobState.FAILED, Long.MAX_VALUE, null, null)
                            .done(),
                    5);
        }

        CredentialUse use = ledger.of(CredentialKind.USER, List.of(), 20).get("u");

        assertThat(use.procSeconds()).isEqualTo(Long.MAX_VALUE);
        assertThat(use.totals().requestedProcSeconds()).isEqualTo(Long.MAX_VALUE);
        assertThat(use.totals().averageQueueSeconds()).isEqualTo(1);
        assertThat(use.totals().averageExpansionMillis()).isEqualTo(1_000);
    }

    @Test
    void shouldNotCountWhatWasOverBefore() {
        ledger.begin(0, 100);
        Job ended = running("u", 10)
                .edit()
                .finished(JobState.COMPLETED, 50, null, null)
                .done();
        ledger.follow(null, ended, 100);
        ledger.follow(ended, ended.edit().done(), 110);

        assertThat(ledger.ids()).containsExactly("ALL");
        assertThat(ledger.all(List.of(), 200).totals().ended()).isZero();
    }

    @Test
    void shouldStoreWhatChangedAlone() {
        ledger.begin(0, 0);
        run("u", 0, 10);
        assertThat(ledger.drain()).containsExactly("ALL", "USER/u");
        assertThat(ledger.drain()).isEmpty();

        ledger.clear(30);

        assertThat(ledger.drain()).containsExactly("ALL", "USER/u");
        assertThat(ledger.toRecord("c", "USER/u")).isNull();
        assertThat(ledger.toRecord("c", "ALL").getSince()).isEqualTo(30);
    }

    @Test
    void shouldStoreNothingForAReportThatSaysNothingNew() {
        ledger.begin(0, 0);
        Job running = running("u", 0);
        ledger.follow(null, running, 0);
        ledger.drain();

        ledger.follow(running, running("u", 0), 30);
        assertThat(ledger.drain()).isEmpty();
        ledger.follow(running, running("v", 0), 30);

        assertThat(ledger.drain()).containsExactly("ALL", "USER/u", "USER/v");
    }

    @Test
    void shouldCountTheTimeOfNodesThatAreUp() {
        ledger.up(9, 0);
        ledger.begin(4, 100);
        ledger.up(4, 110);
        ledger.up(-6, 120);
        assertThat(ledger.upProcSeconds(130)).isEqualTo(4 * 10 + 8 * 10 + 2 * 10);
        assertThat(restored().upProcSeconds(130)).isEqualTo(140);

        ledger.clear(130);

        assertThat(ledger.upProcSeconds(140)).isEqualTo(20);
        ledger.up(Long.MAX_VALUE / 2, 140);
        assertThat(ledger.upProcSeconds(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    }

    private CredentialLedger restored() {
        CredentialLedger again = new CredentialLedger();
        ledger.ids().stream().map(id -> ledger.toRecord("c", id)).forEach(again::restore);
        return again;
    }

    private void run(String user, long start, long end) {
        Job running = running(user, start);
        ledger.follow(null, running, start);
        ledger.follow(
                running,
                running.edit().finished(JobState.COMPLETED, end, null, null).done(),
                end);
    }

    private static Job running(String user, long start) {
        return job(user, PROCS, 60, 0)
                .running(JobState.RUNNING, start, List.of())
                .done();
    }

    private static JobEdit job(String user, int procs, long limit, long submit) {
        return JobEdit.submitted(new JobRequest(
                "j",
                "rm",
                1,
                new JobCredentials(null, user, null, null, null, null),
                List.of(Requirement.ofProcs(procs, 1)),
                JobOptions.NONE,
                JobExtension.NONE,
                limit,
                submit));
    }
}
