package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.plugin.PluginAllocation;
import io.weir.scheduler.core.placement.plugin.PluginAllocationDraft;
import io.weir.scheduler.core.placement.plugin.PluginAllocationTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.AllocationPlugin;
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
 * Orders candidates by the answer of a site's own code. That code is never called here: the question and its answer are
 * facts. As long as there is no answer, nodes are taken provisionally in the order of LASTAVAILABLE and a draft of the
 * question is kept. Owned by the core's thread.
 */
final class PluginNodeOrder {
    private final PluginAllocationTable pluginAllocations;

    /** Candidates considered in the pass under way. */
    private final SortedMap<PluginAllocation.Key, PluginAllocationDraft> drafts = new TreeMap<>();

    /** Configuration errors found since the last {@link #drain}. */
    private final SortedSet<String> failures = new TreeSet<>();

    private SitePolicy policy = SitePolicy.DEFAULT;

    PluginNodeOrder(PluginAllocationTable pluginAllocations) {
        this.pluginAllocations = pluginAllocations;
    }

    /** Starts a pass under {@code inForce}. */
    void begin(SitePolicy inForce) {
        policy = inForce;
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
     * Orders the candidates at places {@code [from, to)} of {@code ranking}, which are in the order of LASTAVAILABLE, by
     * the answer of plug-in {@code name}, and sets their room; candidates it left out get none.
     */
    void order(String name, AllocationRequest request, CandidateRanking ranking, int from, int to) {
        Candidates candidates = ranking.candidates();
        int[] slots = ranking.order();
        int[] room = ranking.room();
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

    /** Returns the configuration errors found since the last call, sorted. */
    List<String> drain() {
        if (failures.isEmpty()) {
            return List.of();
        }
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
