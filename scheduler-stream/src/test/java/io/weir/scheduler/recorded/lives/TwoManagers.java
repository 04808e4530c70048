package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.ScriptedConnector;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.RmCommand;
import io.weir.topics.Topics;

/** Two resource managers of one cluster, of which one begins anew and one falls silent for a while. */
public final class TwoManagers implements Life {
    @Override
    public void live(Site site) {
        site.policy("RESERVATIONDEPTH 4\nEXPLAINDEPTH 5\nNODEPOLLTIMEOUT 0\n");
        ScriptedConnector east = site.manager("east").nodes(1, 10, 8, node -> {});
        ScriptedConnector west = site.manager("west").nodes(11, 24, 4, node -> node.setPartition("west"));
        Site.Shape shape = (number, random, job) -> job.setTasks(1 + random.nextInt(number % 6 == 0 ? 50 : 10));
        site.jobs(east, 70, 800, 0, 81, shape);
        site.jobs(west, 70, 700, 0, 82, shape);
        site.at(300, east::restart);
        site.at(450, () -> west.silent(true));
        site.at(570, () -> west.silent(false));
        site.at(570, west::restart);
        site.at(
                660,
                () -> east.forget(east.jobs(io.weir.schemas.JobState.RUNNING).get(0)));
        site.at(660, east::restart);
        site.runUntil(15 * 60, 20);

        assertThat(site.decisions(DecisionKind.START)).hasSizeGreaterThan(60);
        assertThat(site.published(Topics.COMMANDS))
                .extracting(RmCommand::getConnector)
                .contains("east", "west");
        assertThat(site.iterations())
                .filteredOn(it -> it.getTrigger() == IterationTrigger.HEARTBEAT)
                .extracting(
                        it -> java.util.Objects.requireNonNull(it.getAnswers()).getConnector())
                .contains("east", "west");
        assertThat(site.jobVersions()).extracting(it -> it.getState().name()).contains("REMOVED");
    }
}
