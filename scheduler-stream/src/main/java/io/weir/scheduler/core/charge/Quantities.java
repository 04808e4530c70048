package io.weir.scheduler.core.charge;

import io.weir.scheduler.core.node.NodeShare;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Amounts of resources times seconds. Immutable; differences may be negative.
 *
 * @param processorSeconds processors
 * @param weighted processors, each times the charge rate of its node in thousandths
 * @param nodeSeconds nodes that were held, whole or in part
 * @param gpuSeconds GPUs
 * @param memoryMbSeconds megabytes of memory
 * @param reserved processors that were set aside
 * @param used processors that jobs used of these
 */
record Quantities(
        long processorSeconds,
        long weighted,
        long nodeSeconds,
        long gpuSeconds,
        long memoryMbSeconds,
        long reserved,
        long used) {
    static final Quantities NONE = new Quantities(0, 0, 0, 0, 0, 0, 0);

    /** No amount is larger, nor less than 0 as much, so that neither sums nor differences overflow. */
    private static final long MOST = Long.MAX_VALUE / 4;

    private static final String GPU = "gpu";

    static Quantities from(List<Long> numbers) {
        return new Quantities(
                numbers.get(0),
                numbers.get(1),
                numbers.get(2),
                numbers.get(3),
                numbers.get(4),
                numbers.get(5),
                numbers.get(6));
    }

    List<Long> toRecord() {
        return List.of(processorSeconds, weighted, nodeSeconds, gpuSeconds, memoryMbSeconds, reserved, used);
    }

    /** Returns what {@code shares} are in {@code seconds}; {@code rate} gives the rate of a node in thousandths. */
    static Quantities of(List<NodeShare> shares, long seconds, ToLongFunction<String> rate) {
        long processors = 0;
        long weighted = 0;
        long gpus = 0;
        long memory = 0;
        for (NodeShare share : shares) {
            processors += share.procs();
            weighted = sum(weighted, times(share.procs(), rate.applyAsLong(share.nodeId())));
            memory += share.held().memoryMb();
            for (Map.Entry<String, Long> resource : share.gres().entrySet()) {
                if (resource.getKey().equals(GPU) || resource.getKey().startsWith(GPU + ":")) {
                    gpus = sum(gpus, resource.getValue());
                }
            }
        }
        return new Quantities(
                times(processors, seconds),
                times(weighted, seconds),
                times(shares.size(), seconds),
                times(gpus, seconds),
                times(memory, seconds),
                0,
                0);
    }

    Quantities plus(Quantities other) {
        return new Quantities(
                sum(processorSeconds, other.processorSeconds),
                sum(weighted, other.weighted),
                sum(nodeSeconds, other.nodeSeconds),
                sum(gpuSeconds, other.gpuSeconds),
                sum(memoryMbSeconds, other.memoryMbSeconds),
                sum(reserved, other.reserved),
                sum(used, other.used));
    }

    Quantities minus(Quantities other) {
        return new Quantities(
                processorSeconds - other.processorSeconds,
                weighted - other.weighted,
                nodeSeconds - other.nodeSeconds,
                gpuSeconds - other.gpuSeconds,
                memoryMbSeconds - other.memoryMbSeconds,
                reserved - other.reserved,
                used - other.used);
    }

    /** Returns the product, or the largest amount there is. */
    static long times(long a, long b) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        boolean fits = (high == 0 && low >= 0) || (high == -1 && low < 0);
        return fits ? Math.max(-MOST, Math.min(MOST, low)) : (a < 0) == (b < 0) ? MOST : -MOST;
    }

    private static long sum(long a, long b) {
        return Math.max(-MOST, Math.min(MOST, a + b));
    }
}
