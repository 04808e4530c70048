package io.weir.scheduler.core.job;

import io.weir.scheduler.core.job.extension.JobExtension;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.policy.nodeset.NodeSetRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What operators changed of a job's request: its nodes, what becomes of it when one of them fails, how long it waits for a
 * node set; and the account that pays for it in place of its own. It stands above what the resource manager reports.
 * Immutable.
 *
 * @param list name=value, each name once
 */
public record OperatorOverrides(List<String> list) {
    /** None. */
    public static final OperatorOverrides NONE = new OperatorOverrides(List.of());

    private static final String HOSTS = "hostlist";
    private static final String FAILURE = "resfailpolicy";
    private static final String SET_DELAY = "nodesetdelay";
    private static final String ACCOUNT = "account";

    public OperatorOverrides {
        list = List.copyOf(list);
    }

    /** Returns these orders with the nodes the job may run on; none lets it run anywhere. */
    public OperatorOverrides hosts(List<String> nodes) {
        return with(HOSTS, String.join(",", nodes));
    }

    /** Returns these orders with what becomes of the job when a node fails; null when {@code text} is no such policy. */
    public @Nullable OperatorOverrides failure(String text) {
        String policy = JobExtension.parse(FAILURE + "=" + text).failure().policy();
        return policy == null ? null : with(FAILURE, policy);
    }

    /** Returns these orders with how long the job waits for a node set; null when {@code text} is no time. */
    public @Nullable OperatorOverrides setDelay(String text) {
        long seconds = text.equalsIgnoreCase("INFINITY") ? PolicyTime.LONGEST : PolicyTime.seconds(text);
        return seconds < 0 ? null : with(SET_DELAY, Long.toString(seconds));
    }

    /** Returns these orders with the account that the job belongs to from now on. */
    public OperatorOverrides account(String name) {
        return with(ACCOUNT, name);
    }

    /** Returns {@code request} as these orders change it. */
    JobRequest applied(JobRequest request) {
        JobRequest changed = request;
        for (String order : list) {
            int equals = order.indexOf('=');
            String value = order.substring(equals + 1);
            changed = switch (order.substring(0, equals)) {
                case HOSTS -> changed.withHosts(value.isEmpty() ? List.of() : List.of(value.split(",", -1)));
                case FAILURE -> changed.withExtension(failing(changed.extension(), value));
                case ACCOUNT -> changed.withLabels(changed.credentials().ofAccount(value));
                case SET_DELAY -> changed.withExtension(patient(changed.extension(), Long.parseLong(value)));
                default -> throw new IllegalStateException("order " + order + " of job " + request.id());
            };
        }
        return changed;
    }

    private OperatorOverrides with(String name, String value) {
        List<String> changed = new ArrayList<>(list);
        changed.removeIf(order -> order.startsWith(name + "="));
        changed.add(name + "=" + value);
        return new OperatorOverrides(changed);
    }

    private static JobExtension failing(JobExtension said, String policy) {
        JobExtension.Failure failure = said.failure();
        return new JobExtension(
                said.size(),
                said.task(),
                said.place(),
                said.labels(),
                new JobExtension.Failure(policy, failure.noKill(), failure.restartable(), failure.checkpointable()),
                said.flags(),
                said.deadline(),
                said.triggers(),
                said.messages(),
                said.refusal());
    }

    private static JobExtension patient(JobExtension said, long seconds) {
        JobExtension.Place place = said.place();
        NodeSetRequest sets = place.nodeSet();
        return new JobExtension(
                said.size(),
                said.task(),
                new JobExtension.Place(
                        place.partitions(),
                        place.hosts(),
                        place.requiredHosts(),
                        place.access(),
                        place.allocation(),
                        place.distribution(),
                        new NodeSetRequest(
                                sets.spec(),
                                sets.none(),
                                sets.optional(),
                                sets.tolerance(),
                                sets.priority(),
                                sets.plus(),
                                seconds),
                        place.preference(),
                        place.reservation()),
                said.labels(),
                said.failure(),
                said.flags(),
                said.deadline(),
                said.triggers(),
                said.messages(),
                said.refusal());
    }
}
