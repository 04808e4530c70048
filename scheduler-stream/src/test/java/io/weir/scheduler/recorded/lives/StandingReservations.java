package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import io.weir.topics.Topics;
import java.util.List;
import java.util.Objects;

/** Standing reservations with access lists and affinities, and administrators' own beside them. */
public final class StandingReservations implements Life {
    @Override
    public void live(Site site) {
        site.policy("""
                ADMINCFG[1] USERS=root
                SRCFG[day] PERIOD=DAY STARTTIME=6:00:00 ENDTIME=14:00:00 TASKCOUNT=8 RESOURCES=PROCS:4;MEM:2000
                SRCFG[day] CLASSLIST=interactive+ QOSLIST=urgent- DEPTH=2
                SRCFG[owned] PERIOD=INFINITY HOSTLIST=n15,n16 USERLIST=ann+,bob- TIMELIMIT=2:00:00*
                SRCFG[night] PERIOD=DAY STARTTIME=18:00:00 ENDTIME=22:00:00 HOSTLIST=n0[1-4] ACCOUNTLIST=physics
                SRCFG[night] RSVREALLOCPOLICY=FAILURE FLAGS=SPACEFLEX
                QOSCFG[inside] QFLAGS=USERESERVED:owned
                USERCFG[ann] QLIST=inside,urgent
                USERCFG[dan] QLIST=urgent
                RSVPROFILE[maint] SUBTYPE=HardwareMaintenance FLAGS=IGNJOBRSV
                RESERVATIONDEPTH 3
                EXPLAINDEPTH 5
                """);
        site.manager().nodes(1, 16, 8, node -> node.setMemoryMb(16_000));
        site.jobs(150, 480, 0, 61, (number, random, job) -> {
            job.setTasks(1 + random.nextInt(number % 6 == 0 ? 60 : 10))
                    .setJobClass(random.nextInt(4) == 0 ? "interactive" : "batch")
                    .setAccount(random.nextInt(3) == 0 ? "physics" : "biology");
            if (job.getUser().equals("ann") && random.nextInt(3) == 0) {
                job.setQos("inside").setTasks(1 + random.nextInt(8));
            } else if (random.nextInt(5) == 0) {
                job.setQos("urgent");
            }
            if (number % 25 == 0) {
                job.setReservation("").setTasks(2);
            }
        });
        site.at(
                95,
                () -> site.request(
                        RequestKind.CREATE_RESERVATION,
                        "new",
                        "h",
                        "n05,n06,n07",
                        "s",
                        "+2:00:00",
                        "d",
                        "3:00:00",
                        "a",
                        "USER==eve",
                        "n",
                        "evening"));
        site.at(
                185,
                () -> site.request(
                        RequestKind.CREATE_RESERVATION,
                        "new",
                        "t",
                        "6",
                        "R",
                        "PROCS:2",
                        "d",
                        "4:00:00",
                        "a",
                        "CLASS==batch,USER!=cyd",
                        "F",
                        "TIMEFLEX"));
        site.at(305, () -> site.request(RequestKind.MODIFY_RESERVATION, "evening.6", "d", "5:00:00"));
        site.at(
                365,
                () -> site.request(
                        RequestKind.CREATE_RESERVATION,
                        "new",
                        "h",
                        "n08",
                        "P",
                        "maint",
                        "s",
                        "+1:00:00",
                        "d",
                        "2:00:00"));
        site.at(485, () -> site.request(RequestKind.RELEASE_RESERVATION, "evening.6"));
        site.at(605, () -> site.request(RequestKind.RELEASE_RESERVATION, "day.0.1"));
        site.at(665, () -> site.request(RequestKind.ENABLE_RESERVATION, "day"));
        site.at(1090, () -> site.manager().fail("n02", site.now()));
        site.at(1200, () -> site.manager().repair("n02"));
        site.runUntil(24 * 60, 15);

        assertThat(site.answers())
                .extracting(io.weir.schemas.RequestResult::getOutcome)
                .hasSize(7)
                .containsOnly(RequestOutcome.ACCEPTED);
        assertThat(site.decisions(DecisionKind.CREATE_RESERVATION)).hasSizeGreaterThan(5);
        assertThat(used(site, "day")).as("jobs of the class ran inside").isPositive();
    }

    private static long used(Site site, String standing) {
        List<ReservationStatus> all = site.published(Topics.RESERVATIONS);
        return all.stream()
                .filter(it -> it.getType() == ReservationType.STANDING && Objects.equals(it.getStanding(), standing))
                .mapToLong(ReservationStatus::getUsedProcSeconds)
                .max()
                .orElse(0);
    }
}
