package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.placement.Candidates;

/** How fast nodes are, for the policies that go by speed. */
final class NodeSpeed {
    private NodeSpeed() {}

    /** Returns the speed of {@code node} relative to a standard node; 1 when none is given. */
    static double of(EffectiveNode node) {
        Double speed = node.speed();
        return speed == null ? 1 : speed;
    }

    /** Returns the processor speed of {@code node}, MHz; 0 when unknown. */
    static double clock(EffectiveNode node) {
        Integer mhz = node.procSpeedMhz();
        return mhz == null ? 0 : mhz;
    }

    /** Returns whether a processor speed is known for any candidate. */
    static boolean anyClocked(Candidates candidates) {
        for (int i = 0; i < candidates.size(); i++) {
            if (candidates.node(i).procSpeedMhz() != null) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether two candidates differ in {@linkplain #of speed}. */
    static boolean differ(Candidates candidates) {
        for (int i = 1; i < candidates.size(); i++) {
            if (of(candidates.node(i)) != of(candidates.node(0))) {
                return true;
            }
        }
        return false;
    }
}
