package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.Iteration;
import io.weir.schemas.RequestKind;
import io.weir.topics.Topics;
import java.util.List;

/** The policy changes under a full queue: published anew, at run time, with mistakes, and back. */
public final class PolicyChange implements Life {
    private static final String FIRST = "BACKFILLPOLICY FIRSTFIT\nRESERVATIONDEPTH 2\nEXPLAINDEPTH 5\n";

    @Override
    public void live(Site site) {
        site.policy(FIRST);
        site.at(240, () -> site.policy("""
                BACKFILLPOLICY NONE
                NODEALLOCATIONPOLICY FIRSTAVAILABLE
                NODEACCESSPOLICY SINGLEUSER
                USERWEIGHT 10
                USERCFG[eve] PRIORITY=900
                RESERVATIONDEPTH lots
                NOSUCHPARAMETER 1
                EXPLAINDEPTH 5
                """));
        site.at(420, () -> site.request(RequestKind.MODIFY_CONFIG, "config", "setting", "BACKFILLPOLICY BESTFIT"));
        site.at(
                480,
                () -> site.request(
                        RequestKind.MODIFY_CONFIG,
                        "config",
                        "setting",
                        "RESERVATIONPOLICY HIGHEST",
                        "flags",
                        "persistent"));
        site.at(500, () -> site.request(RequestKind.MODIFY_CONFIG, "config", "setting", "BACKFILLPOLICY SOMETIMES"));
        site.at(600, () -> site.policy("""
                RESERVATIONDEPTH 6
                NODEACCESSPOLICY SINGLEJOB
                PARCFG[DEFAULT] NODEALLOCATIONPOLICY=MINRESOURCE
                PROCWEIGHT 5
                EXPLAINDEPTH 5
                """));
        site.at(
                780,
                () -> site.policy(
                        "RESERVATIONPOLICY NEVER\nQUEUETIMEWEIGHT 0\nWALLTIMEWEIGHT -1\nENABLENEGJOBPRIORITY TRUE\n"));
        site.at(900, () -> site.policy(FIRST));
        site.manager().nodes(1, 16, 4, node -> node.setMemoryMb(8_000));
        site.manager().nodes(17, 20, 8, node -> node.setMemoryMb(8_000));
        site.jobs(130, 430, 0, 71, (number, random, job) -> job.setTasks(1 + random.nextInt(number % 7 == 0 ? 60 : 9)));
        site.runUntil(18 * 60, 15);

        assertThat(site.decisions(DecisionKind.START)).hasSizeGreaterThan(70);
        List<Iteration> iterations = site.iterations();
        assertThat(iterations).extracting(Iteration::getPolicyVersion).contains("v1", "v2", "v3", "v4", "v5");
        assertThat(iterations).extracting(Iteration::getRuntimeSettings).anyMatch(settings -> settings.size() == 2);
        assertThat(site.answers())
                .extracting(it -> it.getOutcome().name())
                .containsExactly("ACCEPTED", "ACCEPTED", "REFUSED");
        assertThat(site.published(Topics.NOTIFICATIONS)).isNotEmpty();
    }
}
