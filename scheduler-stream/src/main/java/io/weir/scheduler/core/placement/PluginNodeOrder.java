package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.policy.AllocationPlugin;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.state.AdvisedNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Orders candidates as a site's own code said. That code is never called here: what it was asked and what it answered
 * are facts, and as long as there is no answer nodes are taken provisionally, as LASTAVAILABLE does, and a draft of the
 * question is kept. Owned by the core's thread.
 */
final class PluginNodeOrder {
    private final PluginAllocationTable pluginAllocations;

    /** What was considered in the pass under way. */
    private final SortedMap<PluginAllocation.Key, PluginAllocationDraft> drafts = new TreeMap<>();

    /** What is wrong with the configuration, as found since the last {@link #drain}. */
    private final SortedSet<String> failures = new TreeSet<>();

    PluginNodeOrder(PluginAllocationTable pluginAllocations) {
        this.pluginAllocations = pluginAllocations;
    }

    /** Starts a pass. */
    void begin() {
        drafts.clear();
    }

    /** Returns the draft of a question; null when its subject was not considered. */
    @Nullable
    PluginAllocationDraft draft(PluginAllocation.Key key) {
        return drafts.get(key);
    }

    /** Returns all drafts of the pass, in the order of their keys. */
    List<PluginAllocationDraft> drafts() {
        return drafts.isEmpty() ? List.of() : new ArrayList<>(drafts.values());
    }

    /**
     * Orders {@code slots[from..to)}, which are in the order of LASTAVAILABLE, as the plug-in said, and sets their room;
     * slots it left out get none.
     */
    void order(
            SitePolicy policy,
            String name,
            AllocationRequest request,
            Candidates candidates,
            int[] slots,
            int from,
            int to,
            int[] room) {
        AllocationPlugin settings = policy.allocation().plugins().get(name);
        if (settings == null
                || settings.className().isEmpty() == settings.program().isEmpty()) {
            failures.add("plug-in " + name + ": NODEALLOCPLUGIN[" + name + "] is not configured; LASTAVAILABLE used"
                    + " instead");
            return;
        }
        PluginAllocationDraft draft = drafts.computeIfAbsent(
                PluginAllocation.Key.of(request), unknown -> new PluginAllocationDraft(request, settings));
        for (int i = from; i < to; i++) {
            draft.add(candidates.position(slots[i]), candidates.tasks(slots[i]));
        }
        PluginAllocation known = pluginAllocations.get(draft.key());
        if (known == null && unwanted(draft, candidates)) {
            for (int i = from; i < to; i++) {
                room[slots[i]] = 0;
            }
        } else if (known == null
                || !known.plugin().equals(draft.identity())
                || known.state() == PluginAllocation.State.ASKED) {
            draft.provisional(true);
        } else if (known.state() == PluginAllocation.State.ANSWERED) {
            apply(known.choices(), candidates, slots, from, to, room);
        }
    }

    /** Returns whether these very nodes were refused for a start now: they are not offered again for a moment later. */
    private boolean unwanted(PluginAllocationDraft draft, Candidates candidates) {
        PluginAllocation now = pluginAllocations.get(
                new PluginAllocation.Key(draft.key().jobId(), draft.key().requirement(), PluginAllocation.AT_ONCE));
        return !draft.key().immediate()
                && now != null
                && now.state() == PluginAllocation.State.ANSWERED
                && now.choices().isEmpty()
                && now.plugin().equals(draft.identity())
                && now.fingerprint() == draft.fingerprint(candidates.nodes());
    }

    /** Returns what is wrong with the configuration, as found since the last call, sorted. */
    List<String> drain() {
        List<String> all = List.copyOf(failures);
        failures.clear();
        return all;
    }

    private static void apply(
            List<AdvisedNode> choices, Candidates candidates, int[] slots, int from, int to, int[] room) {
        Map<String, Integer> places = new LinkedHashMap<>();
        for (int i = from; i < to; i++) {
            places.put(candidates.node(slots[i]).id(), slots[i]);
        }
        int[] ordered = new int[to - from];
        int count = 0;
        for (AdvisedNode choice : choices) {
            Integer slot = places.remove(choice.getNodeId());
            if (slot != null) {
                room[slot] = Math.min(room[slot], choice.getTasks());
                ordered[count++] = slot;
            }
        }
        for (int slot : places.values()) {
            room[slot] = 0;
            ordered[count++] = slot;
        }
        System.arraycopy(ordered, 0, slots, from, count);
    }
}
