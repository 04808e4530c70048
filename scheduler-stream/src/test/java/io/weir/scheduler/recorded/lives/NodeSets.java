package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.NodeAllocation;
import java.util.List;

/** Jobs within node sets: every way of choosing one, sets one can do without, and several sets evenly. */
public final class NodeSets implements Life {
    private static final String SWITCHES = """
            NODESETPOLICY ONEOF
            NODESETATTRIBUTE FEATURE
            NODESETLIST s1,s2,s3,s4
            NODESETDELAY 45:00
            EXPLAINDEPTH 5
            """;

    @Override
    public void live(Site site) {
        site.policy(SWITCHES + "NODESETPRIORITYTYPE MINLOSS\nNODESETISOPTIONAL FALSE\n");
        List<String> types = List.of("BESTFIT", "FIRSTFIT", "WORSTFIT", "BESTRESOURCE", "AFFINITY");
        for (int i = 0; i < types.size(); i++) {
            String type = types.get(i);
            site.at(150 * (i + 1), () -> site.policy(SWITCHES + "NODESETPRIORITYTYPE " + type + "\n"));
        }
        site.at(900, () -> site.policy("""
                NODESETPOLICY ONEOF
                NODESETATTRIBUTE PROCSPEED
                NODESETTOLERANCE 0.3
                NODEALLOCATIONPOLICY MAXBALANCE
                EXPLAINDEPTH 5
                """));
        site.at(1050, () -> site.policy(SWITCHES + "NODESETPLUS SPANEVENLY\nNODESETPRIORITYTYPE MINLOSS\n"));
        for (int s = 0; s < 4; s++) {
            String name = "s" + (s + 1);
            int speed = 1000 + 250 * s;
            site.manager()
                    .nodes(
                            1 + 6 * s,
                            6 + 6 * s,
                            s < 2 ? 8 : 4,
                            node -> node.setFeatures(List.of(name))
                                    .setProcSpeedMhz(speed)
                                    .setMemoryMb(8_000));
        }
        site.jobs(
                170, 400, 0, 53, (number, random, job) -> job.setTasks(1 + random.nextInt(number % 5 == 0 ? 48 : 14)));
        site.runUntil(20 * 60, 15);

        assertThat(site.decisions(DecisionKind.START)).hasSizeGreaterThan(90);
        assertThat(site.decisions(DecisionKind.START))
                .extracting(decision -> decision.getAllocation().stream()
                        .map(NodeAllocation::getNodeId)
                        .map(node -> (Integer.parseInt(node.substring(1)) - 1) / 6)
                        .distinct()
                        .count())
                .as("most jobs in one set, some in several")
                .contains(1L)
                .anyMatch(sets -> sets > 1);
        assertThat(site.published(io.weir.topics.Topics.EXPLANATIONS))
                .extracting(io.weir.schemas.Explanation::getConstraint)
                .contains("Set");
    }
}
