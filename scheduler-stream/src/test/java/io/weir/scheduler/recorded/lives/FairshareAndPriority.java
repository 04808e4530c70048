package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.RequestKind;
import io.weir.topics.Topics;
import java.util.List;

/** Priorities of every component: credentials, usage against targets, service, resources, caps. */
public final class FairshareAndPriority implements Life {
    @Override
    public void live(Site site) {
        site.policy("""
                FSPOLICY DEDICATEDPS
                FSINTERVAL 1:30:00
                FSDEPTH 4
                FSDECAY 0.7
                FSWEIGHT 2
                FSUSERWEIGHT 40
                FSGROUPWEIGHT 10
                FSACCOUNTWEIGHT 20
                FSQOSWEIGHT 5
                FSCLASSWEIGHT 3
                FSCAP 2000
                USERCFG[ann] FSTARGET=40
                USERCFG[bob] FSTARGET=10-
                USERCFG[cyd] FSTARGET=20+ PRIORITY=100
                GROUPCFG[staff] FSTARGET=30 PRIORITY=20
                ACCOUNTCFG[physics] FSTARGET=60.0
                CLASSCFG[long] PRIORITY=-50 FSTARGET=20-
                QOSCFG[high] PRIORITY=300 QTTARGET=2:00:00 XFTARGET=3.0 FSTARGET=10 QTWEIGHT=2
                QOSCFG[low] QFLAGS=NOBF
                USERCFG[DEFAULT] QLIST=high,low
                CREDWEIGHT 2
                QUEUETIMEWEIGHT 3
                QUEUETIMECAP 600
                XFACTORWEIGHT 40
                XFACTORCAP 8
                BYPASSWEIGHT 15
                TARGETQUEUETIMEWEIGHT 100
                TARGETXFACTORWEIGHT 50
                PROCWEIGHT 4
                MEMWEIGHT 1
                PEWEIGHT 2
                WALLTIMEWEIGHT 0
                RESCAP 400
                RESERVATIONDEPTH 3
                EXPLAINDEPTH 20
                """);
        site.manager().nodes(1, 16, 8, node -> node.setMemoryMb(8_000));
        site.jobs(150, 380, 0, 141, (number, random, job) -> {
            job.setGroup(random.nextInt(3) == 0 ? "staff" : "students")
                    .setAccount(random.nextInt(2) == 0 ? "physics" : "biology")
                    .setJobClass(random.nextInt(4) == 0 ? "long" : "short")
                    .setQos(List.of("high", "low", "none").get(random.nextInt(3)));
            Site.require(
                    job,
                    1 + random.nextInt(number % 6 == 0 ? 60 : 14),
                    task -> task.setMemoryMb(200L * random.nextInt(8)));
        });
        for (int minute = 120; minute < 960; minute += 240) {
            site.at(minute, () -> site.request(RequestKind.SHOW_PRIORITY, "ALL"));
        }
        site.runUntil(17 * 60, 15);

        assertThat(site.decisions(DecisionKind.START)).hasSizeGreaterThan(80);
        assertThat(site.backfilled()).isNotEmpty();
        assertThat(site.jobVersions()).anyMatch(it -> it.getBypassCount() > 0);
        assertThat(site.published(Topics.EXPLANATIONS))
                .extracting(io.weir.schemas.Explanation::getPriority)
                .as("priorities of many kinds")
                .matches(all -> all.stream().distinct().count() > 100);
    }
}
