package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PluginCandidate;
import io.weir.schemas.PluginQuestion;
import io.weir.topics.Topics;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A plug-in chooses the nodes, by its own order; now and then it fails, or answers nonsense. Under the wall clock. */
public final class PluginAnswers implements Life {
    private final Set<String> choices = new TreeSet<>();
    private int asked;

    @Override
    public boolean hasWallClock() {
        return true;
    }

    @Override
    public void live(Site site) {
        asked = 0;
        site.policy("""
                NODEALLOCATIONPOLICY PLUGIN:own
                NODEALLOCPLUGIN[own] EXEC=/opt/site/choose ARGS="even first" TIMEOUT=10
                RESERVATIONDEPTH 2
                NODEPOLLTIMEOUT 0
                EXPLAINDEPTH 5
                """);
        site.plugin(this::answer);
        site.manager().nodes(1, 16, 8, node -> node.setMemoryMb(16_000));
        site.jobs(
                80, 500, 0, 101, (number, random, job) -> job.setTasks(1 + random.nextInt(number % 6 == 0 ? 60 : 12)));
        site.runUntil(12 * 60, 15);

        assertThat(site.published(Topics.PLUGIN_QUESTIONS)).hasSizeGreaterThan(40);
        assertThat(site.decisions(DecisionKind.START)).hasSizeGreaterThan(40);
        assertThat(site.decisions(DecisionKind.START))
                .extracting(it -> it.getJobId()
                        + it.getAllocation().stream()
                                .map(NodeAllocation::getNodeId)
                                .collect(Collectors.toCollection(TreeSet::new)))
                .as("jobs on the very nodes the plug-in named")
                .filteredOn(choices::contains)
                .hasSizeGreaterThan(10);
        assertThat(site.iterations())
                .extracting(io.weir.schemas.Iteration::getTrigger)
                .contains(IterationTrigger.EVENT);
        assertThat(site.notices()).isNotEmpty();
    }

    /** Even nodes first, the smallest room first. */
    private PluginAnswer.Builder answer(PluginQuestion question) {
        asked++;
        if (asked % 7 == 0) {
            return PluginAnswer.newBuilder().setFailure("exit code 3");
        }
        if (asked % 11 == 0) {
            return Site.nodes(java.util.stream.Stream.of("nowhere"), 1);
        }
        if (asked % 13 == 0) {
            return PluginAnswer.newBuilder();
        }
        TreeSet<String> named = new TreeSet<>();
        int missing = question.getTasks();
        var sorted = question.getCandidates().stream()
                .sorted(Comparator.<PluginCandidate>comparingInt(it -> (it.getIndex() + 1) % 2)
                        .thenComparingInt(PluginCandidate::getRoom)
                        .thenComparing(PluginCandidate::getNodeId))
                .toList();
        for (PluginCandidate candidate : sorted) {
            if (missing > 0) {
                named.add(candidate.getNodeId());
                missing -= candidate.getRoom();
            }
        }
        choices.add(question.getJobId() + named);
        return Site.nodes(sorted.stream().map(PluginCandidate::getNodeId).filter(named::contains), 8);
    }
}
