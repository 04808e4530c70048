package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.placement.AllocationRequest;

/** PLUGIN and LOCAL: the nodes that the site's own code answered; as LASTAVAILABLE as long as there is no answer. */
final class PluginPolicy implements NodeAllocationPolicy {
    private final String plugin;
    private final PluginNodeOrder answers;
    private final NodeSortingPolicy withoutAnswer;

    /**
     * Creates the policy of one plug-in.
     *
     * @param plugin name of the plug-in
     */
    PluginPolicy(String plugin, PluginNodeOrder answers, NodeSortingPolicy withoutAnswer) {
        this.plugin = plugin;
        this.answers = answers;
        this.withoutAnswer = withoutAnswer;
    }

    @Override
    public boolean choose(AllocationRequest request, CandidateRanking ranking, int from, int to) {
        withoutAnswer.sort(ranking, from, to);
        answers.order(plugin, request, ranking, from, to);
        return ranking.dealInOrder(to);
    }

    @Override
    public boolean repeatable() {
        return false;
    }
}
