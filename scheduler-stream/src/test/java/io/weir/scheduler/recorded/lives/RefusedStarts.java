package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.JobStatus;
import io.weir.schemas.RmCommand;

/** A resource manager that refuses starts: tried again elsewhere, on the same nodes, deferred, and held in the end. */
public final class RefusedStarts implements Life {
    private int starts;

    @Override
    public void live(Site site) {
        starts = 0;
        site.policy("""
                JOBRETRYTIME 2:00
                DEFERTIME 20:00
                DEFERCOUNT 2
                DEFERSTARTCOUNT 2
                RESERVATIONDEPTH 3
                EXPLAINDEPTH 5
                """);
        site.at(360, () -> site.policy("""
                JOBRETRYTIME 2:00
                RESERVATIONRETRYTIME[DEFAULT] 12:00
                RESERVATIONDEPTH 3
                EXPLAINDEPTH 5
                """));
        site.manager().refusing(this::refuses).nodes(1, 16, 8, node -> {});
        site.jobs(
                120, 370, 0, 111, (number, random, job) -> job.setTasks(1 + random.nextInt(number % 6 == 0 ? 80 : 12)));
        site.runUntil(12 * 60, 5);

        assertThat(site.manager().refused()).isGreaterThan(20);
        assertThat(site.jobVersions())
                .as("refused, tried again, and run in the end")
                .filteredOn(it -> it.getStartFailures() > 0)
                .extracting(JobStatus::getJobId)
                .anyMatch(id -> site.jobVersions().stream()
                        .anyMatch(it ->
                                it.getJobId().equals(id) && it.getState().name().equals("COMPLETED")));
        assertThat(site.jobVersions()).anyMatch(it -> it.getDeferrals() > 0);
        assertThat(site.jobVersions()).anyMatch(it -> it.getRefusedSince() != null);
        assertThat(site.jobVersions()).anyMatch(it -> it.getHolds().contains("BATCH"));
        assertThat(site.published(io.weir.topics.Topics.RESULTS))
                .extracting(CommandResult::getOutcome)
                .contains(CommandOutcome.DONE, CommandOutcome.REFUSED);
    }

    private boolean refuses(RmCommand command) {
        if (command.getKind() != CommandKind.START_JOB) {
            return false;
        }
        starts++;
        boolean never = "j4".equals(command.getJobId());
        return never || starts % 4 == 0 || starts % 9 == 0;
    }
}
