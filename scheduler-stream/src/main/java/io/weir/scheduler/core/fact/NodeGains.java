package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.job.Impossibility;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeAttributes;
import io.weir.schemas.NodeState;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a node has by a report that it did not have before, by which it may be able to hold a job that nothing could hold. Memory and
 * disk are left out: where they are measured rather than configured, they change all the time. Immutable.
 *
 * @param forAll whether it may concern any job: the node is new, or has more processors or generic resources, or others of what it has
 *     one of
 * @param classes classes that it takes now, sorted
 * @param features features that it was given, sorted
 */
record NodeGains(boolean forAll, List<String> classes, List<String> features) {
    NodeGains {
        classes = List.copyOf(classes);
        features = List.copyOf(features);
    }

    /** Compares a report with the one before; null for none. */
    static NodeGains between(@Nullable Node known, Node next) {
        if (known == null || known.state() == NodeState.REMOVED) {
            return new NodeGains(true, List.of(), List.of());
        }
        NodeAttributes before = known.attributes();
        NodeAttributes now = next.attributes();
        boolean other = !before.partition().equals(now.partition())
                || !Objects.equals(before.arch(), now.arch())
                || !Objects.equals(before.os(), now.os())
                || !before.networks().containsAll(now.networks());
        boolean opened = !before.classes().isEmpty() && now.classes().isEmpty();
        return new NodeGains(
                other || opened || known.procs() < next.procs() || hasMore(before.gres(), now.gres()),
                before.classes().isEmpty()
                        ? List.of()
                        : added(before.classes().keySet(), now.classes().keySet()),
                added(before.features(), now.features()));
    }

    private static boolean hasMore(SortedMap<String, Long> before, SortedMap<String, Long> now) {
        return now.entrySet().stream().anyMatch(one -> before.getOrDefault(one.getKey(), 0L) < one.getValue());
    }

    private static List<String> added(Collection<String> before, Collection<String> now) {
        TreeSet<String> more = new TreeSet<>(now);
        more.removeAll(before);
        return List.copyOf(more);
    }

    /** Says whether there are none. */
    boolean isEmpty() {
        return !forAll && classes.isEmpty() && features.isEmpty();
    }

    /** Says whether the job asks for any of them. */
    boolean concern(Job job) {
        return forAll
                || (!features.isEmpty() && Impossibility.NO_SET.isToldTo(job))
                || job.request().requirements().stream().anyMatch(requirement -> concern(job, requirement));
    }

    private boolean concern(Job job, Requirement requirement) {
        NodeDemands demands = requirement.demands();
        @Nullable String own = job.request().credentials().jobClass();
        return Stream.of(
                                Stream.ofNullable(own),
                                job.request().options().otherClasses().stream(),
                                demands.classes().stream())
                        .flatMap(names -> names)
                        .anyMatch(classes::contains)
                || demands.features().stream()
                        .flatMap(choice -> Arrays.stream(choice.split("\\|", -1)))
                        .anyMatch(features::contains);
    }
}
