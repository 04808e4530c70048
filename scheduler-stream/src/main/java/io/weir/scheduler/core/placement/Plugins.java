package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.JobLabels;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.placement.plugin.AllocationQuestion;
import io.weir.scheduler.core.placement.plugin.NodeAllocationPlugin;
import io.weir.scheduler.core.policy.AllocationPlugin;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Asks the site's own code for nodes and checks what it answers. Owned by the core's thread. */
final class Plugins {
    private final Availability availability;

    /** By class name; null for one that cannot be loaded. */
    private final Map<String, @Nullable NodeAllocationPlugin> loaded = new LinkedHashMap<>();

    /** What went wrong since the last {@link #drain}. */
    private final SortedSet<String> failures = new TreeSet<>();

    Plugins(Availability availability) {
        this.availability = availability;
    }

    /**
     * Orders {@code slots[from..to)} as the plug-in says and sets their room; slots it leaves out get none.
     *
     * @return false when the plug-in failed and somebody else has to order them
     */
    boolean order(
            SitePolicy policy,
            String name,
            AllocationRequest request,
            Candidates candidates,
            int[] slots,
            int from,
            int to,
            int[] room) {
        AllocationPlugin settings = policy.allocation().plugins().get(name);
        if (settings == null) {
            return fail(name, "NODEALLOCPLUGIN[" + name + "] is not configured");
        }
        if (settings.className().isEmpty()) {
            return fail(name, "programs such as " + settings.program() + " are not asked yet");
        }
        NodeAllocationPlugin plugin = load(settings.className());
        if (plugin == null) {
            return fail(name, "class " + settings.className() + " is not among the services found");
        }
        List<NodeAllocationPlugin.Choice> answer;
        try {
            answer = plugin.choose(question(settings, request, candidates, slots, from, to));
        } catch (RuntimeException | LinkageError e) {
            return fail(name, "job " + request.job().id() + ": " + e);
        }
        return apply(name, answer, candidates, slots, from, to, room);
    }

    /** Returns what went wrong since the last call, sorted. */
    List<String> drain() {
        List<String> all = List.copyOf(failures);
        failures.clear();
        return all;
    }

    private boolean apply(
            String name,
            List<NodeAllocationPlugin.Choice> answer,
            Candidates candidates,
            int[] slots,
            int from,
            int to,
            int[] room) {
        Map<String, Integer> places = new LinkedHashMap<>();
        for (int i = from; i < to; i++) {
            places.put(candidates.node(slots[i]).id(), slots[i]);
        }
        int[] ordered = new int[to - from];
        int[] most = new int[to - from];
        int count = 0;
        for (NodeAllocationPlugin.Choice choice : answer) {
            Integer slot = places.remove(choice.node());
            if (slot == null) {
                return fail(name, "node " + choice.node() + " is no candidate, or named twice");
            }
            if (choice.mostTasks() < 1 || choice.mostTasks() > room[slot]) {
                return fail(
                        name,
                        choice.mostTasks() + " tasks on node " + choice.node() + ", which has room for " + room[slot]);
            }
            most[count] = choice.mostTasks();
            ordered[count++] = slot;
        }
        for (int slot : places.values()) {
            room[slot] = 0;
            ordered[count++] = slot;
        }
        for (int i = 0; i < answer.size(); i++) {
            room[ordered[i]] = most[i];
        }
        System.arraycopy(ordered, 0, slots, from, count);
        return true;
    }

    private AllocationQuestion question(
            AllocationPlugin settings,
            AllocationRequest request,
            Candidates candidates,
            int[] slots,
            int from,
            int to) {
        List<AllocationQuestion.Node> nodes = new ArrayList<>(to - from);
        for (int i = from; i < to; i++) {
            EffectiveNode node = candidates.node(slots[i]);
            nodes.add(new AllocationQuestion.Node(
                    node.id(),
                    node.index(),
                    candidates.tasks(slots[i]),
                    node.configured().procs(),
                    node.configured().memoryMb(),
                    node.features(),
                    request.immediate() ? availability.load(candidates.position(slots[i])) : 0));
        }
        JobLabels labels = request.job().request().labels();
        return new AllocationQuestion(
                request.job().id(),
                labels.user(),
                labels.group(),
                labels.account(),
                labels.jobClass(),
                labels.qos(),
                request.requirement().tasks(),
                request.requirement().resources().procs(),
                request.requirement().resources().memoryMb(),
                request.job().request().options().preference(),
                request.start(),
                request.job().request().walltimeSeconds(),
                request.immediate(),
                settings.arguments(),
                nodes);
    }

    private @Nullable NodeAllocationPlugin load(String className) {
        if (!loaded.containsKey(className)) {
            NodeAllocationPlugin found = null;
            try {
                for (NodeAllocationPlugin plugin : ServiceLoader.load(NodeAllocationPlugin.class)) {
                    if (plugin.getClass().getName().equals(className)) {
                        found = plugin;
                    }
                }
            } catch (ServiceConfigurationError e) {
                failures.add("cannot be loaded: " + e.getMessage());
            }
            loaded.put(className, found);
        }
        return loaded.get(className);
    }

    private boolean fail(String name, String why) {
        failures.add("plug-in " + name + ": " + why + "; LASTAVAILABLE used instead");
        return false;
    }
}
