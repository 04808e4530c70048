package io.weir.scheduler.core.request;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.recovery.RecoveryRequests;
import io.weir.scheduler.core.state.ClusterState;

/** Those who carry out requests and answer questions, each for some kinds. They serve one iteration. */
final class RequestHandlers {
    final JobRequests jobs;
    final HoldRequests holds;
    final ConfigRequests config;
    final JobQuestions aboutJobs;
    final TimeQuestions times;
    final NodeQuestions aboutNodes;
    final NodeStatisticsQuestions nodeStatistics;
    final CredentialQuestions credentials;
    final EventQuestions events;
    final NodeRequests nodes;
    final SchedulerRequests scheduler;
    final RecoveryRequests recoveries;

    RequestHandlers(ClusterState state, IterationOutputs outputs, long now) {
        jobs = new JobRequests(state, outputs, now);
        holds = new HoldRequests(state, outputs, now);
        config = new ConfigRequests(state, outputs);
        aboutJobs = new JobQuestions(state, outputs, now);
        times = new TimeQuestions(state, outputs, now);
        aboutNodes = new NodeQuestions(state, outputs, now);
        nodeStatistics = new NodeStatisticsQuestions(state, outputs, now);
        credentials = new CredentialQuestions(state, outputs, now);
        events = new EventQuestions(state, outputs, now);
        nodes = new NodeRequests(state, outputs);
        scheduler = new SchedulerRequests(state, outputs, now);
        recoveries = new RecoveryRequests(state, outputs, now);
    }
}
