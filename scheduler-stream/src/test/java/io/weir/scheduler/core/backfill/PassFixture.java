package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.ResourcePlans;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.List;

/** Runs one strategy over the queue of a small cluster, at instant 0. */
final class PassFixture {
    final TestCluster cluster;
    final RecordedActions actions;
    final SitePolicy policy;
    final ResourcePlan plan;
    final PartitionRules rules;
    final ReservedSlots slots;
    final StartAllowance starts;
    final RoomMaker rooms;

    /** Under {@code policy}, on {@code cluster} as it is now; jobs may still come. */
    PassFixture(TestCluster cluster, String... policy) {
        this.cluster = cluster;
        this.policy = TestCluster.policy(policy);
        actions = new RecordedActions(cluster);
        ResourcePlans plans =
                new ResourcePlans(cluster.jobs, cluster.nodes, cluster.reservations, cluster.access, cluster.placement);
        plan = plans.choose(this.policy, false);
        plan.reset(0, this.policy);
        rules = new PartitionRules(this.policy, cluster.nodes);
        slots = new ReservedSlots(cluster.jobs, cluster.reservations);
        rooms = new RoomMaker(cluster.nodes, 0, false, 0);
        starts = new StartAllowance(
                new StartEffort(
                        cluster.jobs,
                        cluster.nodes,
                        cluster.reservations,
                        cluster.placement,
                        cluster.access,
                        plans.nodeSets()),
                Long.MAX_VALUE);
    }

    /** Runs {@code strategy} and returns what it did. */
    List<String> run(BackfillStrategy strategy) {
        pass(strategy);
        return actions.steps;
    }

    /** Runs {@code strategy} and returns the pass. */
    PlanningPass pass(BackfillStrategy strategy) {
        return pass(
                strategy,
                new PlanningPass.Moment(
                        0, null, false, Long.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, starts, rooms, actions));
    }

    /** Begins a pass without running it; {@code weighs} says whether the bypass count is part of the priority. */
    PlanningPass begin(BackfillStrategy strategy, PlanningPass.Moment moment, boolean weighs) {
        return new PlanningPass(
                moment,
                policy,
                cluster.jobs.queue(),
                plan,
                rules,
                new ReservationDepths(policy, strategy, rules),
                slots,
                new BypassCounter(weighs),
                new SpreadTurns(cluster.jobs.furtherRequirements(), 0));
    }

    /** Runs {@code strategy} at another moment and returns the pass. */
    PlanningPass pass(BackfillStrategy strategy, PlanningPass.Moment moment) {
        PlanningPass pass = begin(strategy, moment, false);
        strategy.plan(pass);
        pass.bypasses().report(actions);
        return pass;
    }
}
