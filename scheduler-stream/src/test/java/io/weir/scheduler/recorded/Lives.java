package io.weir.scheduler.recorded;

import io.weir.scheduler.recorded.lives.ActingOnTheWorld;
import io.weir.scheduler.recorded.lives.AllocationPolicies;
import io.weir.scheduler.recorded.lives.BestFitBackfill;
import io.weir.scheduler.recorded.lives.ConservativeHighest;
import io.weir.scheduler.recorded.lives.EasyBackfill;
import io.weir.scheduler.recorded.lives.FailureResponses;
import io.weir.scheduler.recorded.lives.FairshareAndPriority;
import io.weir.scheduler.recorded.lives.MixedRequests;
import io.weir.scheduler.recorded.lives.Monitored;
import io.weir.scheduler.recorded.lives.NodeFailures;
import io.weir.scheduler.recorded.lives.NodePriorities;
import io.weir.scheduler.recorded.lives.NodeSets;
import io.weir.scheduler.recorded.lives.OperatorsAtWork;
import io.weir.scheduler.recorded.lives.PluginAnswers;
import io.weir.scheduler.recorded.lives.PolicyChange;
import io.weir.scheduler.recorded.lives.RefusedStarts;
import io.weir.scheduler.recorded.lives.StandingReservations;
import io.weir.scheduler.recorded.lives.SurvivingApplications;
import io.weir.scheduler.recorded.lives.TwoManagers;
import java.util.List;

/** The lives of which journals are recorded. */
final class Lives {
    private Lives() {}

    static List<Life> all() {
        return List.of(
                new EasyBackfill(),
                new ConservativeHighest(),
                new BestFitBackfill(),
                new NodePriorities(),
                new AllocationPolicies(),
                new NodeSets(),
                new MixedRequests(),
                new FairshareAndPriority(),
                new StandingReservations(),
                new PolicyChange(),
                new TwoManagers(),
                new Monitored(),
                new PluginAnswers(),
                new RefusedStarts(),
                new NodeFailures(),
                new FailureResponses(),
                new SurvivingApplications(),
                new OperatorsAtWork(),
                new ActingOnTheWorld());
    }
}
