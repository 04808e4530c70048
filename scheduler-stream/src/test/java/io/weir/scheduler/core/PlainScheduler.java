package io.weir.scheduler.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler for small clusters that is written to be read, not to be quick, and shares nothing with the real one: first
 * fit in the order of the queue, reservations made anew in every pass, nodes in the order of their index. It looks at every
 * instant at which anything changes, and counts what is free from scratch each time.
 */
final class PlainScheduler {
    record Machine(String id, int index, int procs, long memory, Set<String> features) {}

    /**
     * Tasks of one kind; {@code perNode} 0 for any number on a node, otherwise a node takes just as many, or none. No {@code hosts}
     * stand for any. Those that lie {@code apart} share no node with others of the job.
     */
    record Tasks(
            int count,
            int procs,
            long memory,
            @Nullable String feature,
            int perNode,
            Set<String> hosts,
            Set<String> excluded,
            boolean apart) {
        boolean mayUse(Machine machine) {
            return (feature == null || machine.features.contains(feature))
                    && (hosts.isEmpty() || hosts.contains(machine.id))
                    && !excluded.contains(machine.id);
        }
    }

    record Work(String id, String user, List<Tasks> tasks, boolean alone, long limit) {}

    /** Nodes set aside from {@code from} to {@code to}, for {@code user} alone or, if that is null, for nobody. */
    record Block(
            Set<String> nodes, long from, long to, @Nullable String user) {
        boolean meets(Machine machine, long start, long end) {
            return nodes.contains(machine.id) && from < end && start < to;
        }
    }

    /** Node sets by feature: null list for none. */
    record Sets(
            @Nullable List<String> list,
            boolean firstOf,
            boolean anyOf,
            String priority,
            boolean optional,
            long delay) {}

    /** Where and when; by node the processors and megabytes taken, and the tasks there that lie apart. */
    record Place(long start, Map<Machine, long[]> nodes) {
        String text(Work work) {
            Map<String, Long> procs = new TreeMap<>();
            nodes.forEach((machine, taken) -> procs.put(machine.id, work.alone ? machine.procs : taken[0]));
            return procs.toString();
        }
    }

    private record Use(Machine machine, long from, long to, long procs, long memory, boolean alone) {}

    private interface Placer {
        boolean place(Tasks tasks, Map<Machine, long[]> taken);
    }

    /** Place of the tasks that lie apart in what is taken of a node. */
    private static final int APART = 2;

    final List<Machine> machines = new ArrayList<>();
    final List<Block> blocks = new ArrayList<>();
    private final boolean highestFirst;
    private final int depth;
    private final Sets sets;
    private final List<Use> uses = new ArrayList<>();

    PlainScheduler(boolean highestFirst, int depth, Sets sets) {
        this.highestFirst = highestFirst;
        this.depth = depth;
        this.sets = sets;
    }

    /** What one pass decides: jobs that start and where, and when others are to start. */
    record Pass(Map<String, Place> started, Map<String, Long> reserved) {}

    /** Runs a pass. */
    Pass pass(long now, Map<Work, Place> running, List<Work> queue) {
        uses.clear();
        running.forEach((work, place) -> take(work, place, Math.max(place.start + work.limit, now + 1)));
        Pass pass = new Pass(new TreeMap<>(), new TreeMap<>());
        for (Work work : queue) {
            Place place = find(work, now);
            if (place != null && place.start == now) {
                take(work, place, now + work.limit);
                pass.started.put(work.id, place);
            } else if (place != null && pass.reserved.size() < depth) {
                take(work, place, place.start + work.limit);
                pass.reserved.put(work.id, place.start);
            }
        }
        return pass;
    }

    private void take(Work work, Place place, long end) {
        place.nodes.forEach(
                (machine, taken) -> uses.add(new Use(machine, place.start, end, taken[0], taken[1], work.alone)));
    }

    private @Nullable Place find(Work work, long now) {
        Place anywhere = earliest(work, now, false);
        if (sets.list == null || work.tasks.stream().noneMatch(tasks -> tasks.hosts.isEmpty())) {
            return anywhere;
        }
        Place inside = earliest(work, now, true);
        boolean soon = inside != null && (anywhere == null || inside.start - anywhere.start <= sets.delay);
        return !sets.optional || soon ? inside : anywhere;
    }

    private @Nullable Place earliest(Work work, long now, boolean inSets) {
        TreeSet<Long> instants = new TreeSet<>();
        instants.add(now);
        uses.forEach(use -> instants.add(use.to));
        blocks.forEach(block -> {
            instants.add(block.to);
            instants.add(block.from - work.limit + 1);
        });
        for (long instant : instants.tailSet(now)) {
            Map<Machine, long[]> nodes = place(work, instant, inSets);
            if (nodes != null) {
                return new Place(instant, nodes);
            }
        }
        return null;
    }

    private @Nullable Map<Machine, long[]> place(Work work, long at, boolean inSets) {
        Placer placer = (tasks, taken) -> inSets && !sets.anyOf && tasks.hosts.isEmpty()
                ? placeInOneSet(work, tasks, at, taken)
                : place(work, tasks, at, inSets && tasks.hosts.isEmpty() ? union() : machines, taken);
        List<Tasks> scarceFirst = new ArrayList<>(work.tasks);
        scarceFirst.sort(Comparator.comparingLong(tasks ->
                machines.stream().filter(machine -> couldHold(machine, tasks)).count()));
        List<Tasks> largestFirst = new ArrayList<>(work.tasks);
        largestFirst.sort(Comparator.comparingInt(tasks -> -tasks.count * tasks.procs));
        boolean apart = work.tasks.stream().anyMatch(Tasks::apart);
        for (List<Tasks> order : List.of(work.tasks, scarceFirst, apart ? largestFirst : scarceFirst)) {
            Map<Machine, long[]> taken = new LinkedHashMap<>();
            if (order.stream().allMatch(tasks -> placer.place(tasks, taken))) {
                return taken;
            }
        }
        return null;
    }

    private static boolean couldHold(Machine machine, Tasks tasks) {
        int least = Math.max(1, tasks.perNode);
        return tasks.mayUse(machine) && machine.procs >= tasks.procs * least && machine.memory >= tasks.memory * least;
    }

    private List<Machine> union() {
        return machines.stream()
                .filter(machine -> sets.list.stream().anyMatch(machine.features::contains))
                .toList();
    }

    private boolean placeInOneSet(Work work, Tasks tasks, long at, Map<Machine, long[]> taken) {
        List<Machine> best = null;
        long capacity = 0;
        for (String name : sets.list) {
            List<Machine> members = machines.stream()
                    .filter(machine -> machine.features.contains(name))
                    .toList();
            if (place(work, tasks, at, members, copy(taken))) {
                long holds = members.stream()
                        .mapToLong(machine -> room(work, tasks, machine, at, taken))
                        .sum();
                boolean better = !sets.firstOf
                        && (sets.priority.equals("BESTFIT")
                                ? holds < capacity
                                : sets.priority.equals("WORSTFIT") && holds > capacity);
                if (best == null || better) {
                    best = members;
                    capacity = holds;
                }
            }
        }
        return best != null && place(work, tasks, at, best, taken);
    }

    private boolean place(Work work, Tasks tasks, long at, Collection<Machine> among, Map<Machine, long[]> taken) {
        List<Machine> order = new ArrayList<>(among);
        order.sort(Comparator.comparing((Machine machine) -> !drawn(work, machine, at))
                .thenComparing(machine -> highestFirst ? -machine.index : machine.index));
        Map<Machine, long[]> more = copy(taken);
        long left = tasks.count;
        for (Machine machine : order) {
            long here = whole(tasks, Math.min(left, room(work, tasks, machine, at, more)));
            if (here > 0) {
                long[] sum = more.computeIfAbsent(machine, key -> new long[3]);
                sum[0] += here * tasks.procs;
                sum[1] += here * tasks.memory;
                sum[APART] += tasks.apart ? here : 0;
                left -= here;
            }
        }
        if (left == 0) {
            taken.putAll(more);
        }
        return left == 0;
    }

    /** Returns whether a job comes to a node before others: it lies in a reservation that lets the job in, neutrally. */
    private boolean drawn(Work work, Machine machine, long at) {
        return blocks.stream()
                .anyMatch(block -> work.user.equals(block.user) && block.meets(machine, at, at + work.limit));
    }

    /** Returns the tasks that fit a node for the whole limit, beside what the same job has there already. */
    private long room(Work work, Tasks tasks, Machine machine, long at, Map<Machine, long[]> taken) {
        long end = at + work.limit;
        boolean closed =
                blocks.stream().anyMatch(block -> block.meets(machine, at, end) && !work.user.equals(block.user));
        boolean divided = taken.containsKey(machine) && (tasks.apart || taken.get(machine)[APART] > 0);
        if (closed || divided || !tasks.mayUse(machine)) {
            return 0;
        }
        List<Use> there = uses.stream()
                .filter(use -> use.machine == machine && use.from < end && at < use.to)
                .toList();
        if (there.stream().anyMatch(use -> use.alone || work.alone)) {
            return 0;
        }
        TreeSet<Long> instants = new TreeSet<>();
        instants.add(at);
        there.forEach(use -> instants.add(Math.max(at, use.from)));
        long procs = machine.procs;
        long memory = machine.memory;
        for (long instant : instants) {
            long usedProcs = 0;
            long usedMemory = 0;
            for (Use use : there) {
                if (use.from <= instant && instant < use.to) {
                    usedProcs += use.procs;
                    usedMemory += use.memory;
                }
            }
            procs = Math.min(procs, machine.procs - usedProcs);
            memory = Math.min(memory, machine.memory - usedMemory);
        }
        long[] own = taken.getOrDefault(machine, new long[3]);
        long fitting = (procs - own[0]) / tasks.procs;
        if (tasks.memory > 0) {
            fitting = Math.min(fitting, (memory - own[1]) / tasks.memory);
        }
        return whole(tasks, Math.max(0, fitting));
    }

    private static long whole(Tasks tasks, long count) {
        return tasks.perNode == 0 ? count : count < tasks.perNode ? 0 : tasks.perNode;
    }

    private static Map<Machine, long[]> copy(Map<Machine, long[]> taken) {
        Map<Machine, long[]> copy = new LinkedHashMap<>();
        taken.forEach((machine, sum) -> copy.put(machine, sum.clone()));
        return copy;
    }
}
