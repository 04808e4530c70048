package io.weir.scheduler.core.job;

import io.weir.scheduler.core.job.extension.JobExtension;
import io.weir.scheduler.core.job.extension.NodesClause;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A job's request with what its extension says put in its place. The extension is the owner's own word and wins over what
 * the resource manager made of the submission. Doing it twice changes nothing.
 */
final class ExtendedRequest {
    private ExtendedRequest() {}

    static JobRequest of(JobRequest request) {
        JobExtension extension = request.extension();
        if (extension.isNothing()) {
            return request;
        }
        Long walltime = extension.size().walltimeSeconds();
        return new JobRequest(
                request.id(),
                request.connector(),
                request.queueSequence(),
                labels(request.credentials(), extension.labels()),
                requirements(request.requirements(), extension),
                options(request.options(), extension),
                extension,
                walltime == null ? request.walltimeSeconds() : walltime,
                request.submit());
    }

    private static JobCredentials labels(JobCredentials reported, JobExtension.Labels said) {
        return new JobCredentials(
                reported.name(),
                reported.user(),
                reported.group(),
                reported.account(),
                either(reported.jobClass(), said.jobClass()),
                either(said.qos(), reported.qos()));
    }

    private static JobOptions options(JobOptions reported, JobExtension extension) {
        JobExtension.Place place = extension.place();
        TreeSet<String> flags = new TreeSet<>(reported.flags());
        flags.addAll(extension.flags());
        List<String> named = new ArrayList<>(place.hosts());
        List<NodesClause> clauses = extension.size().nodes();
        if (clauses.stream().allMatch(clause -> clause.host() != null)) {
            for (NodesClause clause : clauses) {
                String host = clause.host();
                if (host != null && !named.contains(host)) {
                    named.add(host);
                }
            }
        }
        return new JobOptions(
                place.partitions().isEmpty() ? reported.partitions() : place.partitions(),
                named.isEmpty() && place.requiredHosts().isEmpty() ? reported.hosts() : named,
                place.access() == null ? reported.nodeAccess() : place.access().name(),
                either(extension.labels().application(), reported.application()),
                reported.extension(),
                either(place.preference(), reported.preference()),
                either(place.reservation(), reported.reservation()),
                List.copyOf(flags),
                reported.startAfter(),
                extension.size().cpuSeconds() == null
                        ? reported.cpuLimitSeconds()
                        : extension.size().cpuSeconds(),
                reported.excludedHosts(),
                reported.otherClasses(),
                reported.excludedForNow(),
                reported.userPriority());
    }

    private static List<Requirement> requirements(List<Requirement> reported, JobExtension extension) {
        List<Requirement> sized = sized(reported, extension.size());
        List<Requirement> extended = new ArrayList<>(sized.size());
        for (Requirement each : sized) {
            List<String> named = extended.isEmpty() ? extension.place().requiredHosts() : List.of();
            extended.add(with(each, named.stream().distinct().toList(), extension));
        }
        return extended;
    }

    private static List<Requirement> sized(List<Requirement> reported, JobExtension.Size size) {
        Requirement first = reported.get(0);
        if (size.nodes().isEmpty()) {
            Integer procs = size.procs();
            return procs == null
                    ? reported
                    : List.of(new Requirement(
                            Math.max(1, procs / first.resources().procs()),
                            first.resources(),
                            first.demands(),
                            first.nodes(),
                            first.tasksPerNode(),
                            first.tasksPerNodeAtLeast(),
                            first.nodeCount().fixed()));
        }
        List<Requirement> sized = new ArrayList<>();
        boolean several = size.nodes().size() > 1;
        for (NodesClause clause : size.nodes()) {
            TreeSet<String> features = new TreeSet<>(clause.features());
            if (!several) {
                features.addAll(first.demands().features());
            }
            String host = several ? clause.host() : null;
            sized.add(new Requirement(
                    clause.tasks(),
                    resources(first.resources(), 1),
                    new NodeDemands(
                            List.copyOf(features),
                            first.demands().arch(),
                            first.demands().os(),
                            first.demands().network(),
                            first.demands().conditions(),
                            List.of(),
                            host == null ? List.of() : List.of(host),
                            List.of(),
                            false),
                    size.tasksPerNode() == null ? Integer.valueOf(clause.count()) : null,
                    clause.perGroup(),
                    false));
        }
        return sized;
    }

    private static TaskResources resources(TaskResources of, int procs) {
        return new TaskResources(procs, of.memoryMb(), of.swapMb(), of.diskMb(), of.gres(), of.perNode());
    }

    /** Extends a requirement that has to use the {@code named} nodes; with fewer tasks than these it uses as many of them as it takes. */
    private static Requirement with(Requirement each, List<String> named, JobExtension extension) {
        List<String> required = named.size() > each.tasks() ? List.of() : named;
        List<String> only = required.isEmpty() ? named : List.of();
        JobExtension.Task task = extension.task();
        TaskResources was = each.resources();
        SortedMap<String, Long> gres = new TreeMap<>(was.gres());
        gres.putAll(task.gres());
        TreeSet<String> features = new TreeSet<>(each.demands().features());
        features.addAll(task.features());
        JobExtension.Place place = extension.place();
        boolean elsewhere = !place.hosts().isEmpty() || !place.requiredHosts().isEmpty();
        NodeDemands demands =
                elsewhere && extension.size().nodes().isEmpty() ? each.demands().withoutHosts() : each.demands();
        Integer tasksPerNode = extension.size().tasksPerNode();
        Requirement extended = new Requirement(
                each.tasks(),
                new TaskResources(
                        was.procs(),
                        amount(task.memoryMb(), was.memoryMb()),
                        amount(task.swapMb(), was.swapMb()),
                        amount(task.diskMb(), was.diskMb()),
                        gres,
                        was.perNode()),
                new NodeDemands(
                        List.copyOf(features),
                        either(task.arch(), demands.arch()),
                        either(task.os(), demands.os()),
                        either(task.network(), demands.network()),
                        demands.conditions(),
                        demands.classes(),
                        only.isEmpty() ? demands.hosts() : only,
                        demands.excludedHosts(),
                        demands.apart(),
                        required.isEmpty() ? demands.requiredHosts() : required),
                each.nodes(),
                tasksPerNode == null ? each.tasksPerNode() : tasksPerNode,
                tasksPerNode == null
                        ? each.tasksPerNodeAtLeast()
                        : extension.size().tasksPerNodeAtLeast(),
                each.nodeCount());
        return tasksPerNode == null ? extended : extended.withExactTasks();
    }

    private static long amount(@Nullable Long said, long reported) {
        return said == null ? reported : said;
    }

    private static @Nullable String either(@Nullable String said, @Nullable String reported) {
        return said == null ? reported : said;
    }
}
