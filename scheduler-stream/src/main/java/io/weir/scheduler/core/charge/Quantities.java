package io.weir.scheduler.core.charge;

import io.weir.scheduler.core.bound.Saturation;
import io.weir.scheduler.core.node.NodeShare;
import java.math.BigInteger;
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

    /** Keeps amounts so far from the limits of a long that differences do not overflow either. */
    static final Saturation AMOUNTS = new Saturation(Long.MAX_VALUE / 4);

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
            weighted = AMOUNTS.sum(weighted, AMOUNTS.product(share.procs(), rate.applyAsLong(share.nodeId())));
            memory += share.held().memoryMb();
            for (Map.Entry<String, Long> resource : share.gres().entrySet()) {
                if (resource.getKey().equals(GPU) || resource.getKey().startsWith(GPU + ":")) {
                    gpus = AMOUNTS.sum(gpus, resource.getValue());
                }
            }
        }
        return new Quantities(
                AMOUNTS.product(processors, seconds),
                AMOUNTS.product(weighted, seconds),
                AMOUNTS.product(shares.size(), seconds),
                AMOUNTS.product(gpus, seconds),
                AMOUNTS.product(memory, seconds),
                0,
                0);
    }

    /** Returns {@code seconds} of a processor times the mean rate of these processors; times 1 where there are none. */
    long weighing(long seconds) {
        return processorSeconds <= 0
                ? AMOUNTS.product(seconds, 1_000)
                : BigInteger.valueOf(seconds)
                        .multiply(BigInteger.valueOf(weighted))
                        .divide(BigInteger.valueOf(processorSeconds))
                        .min(BigInteger.valueOf(AMOUNTS.limit()))
                        .longValueExact();
    }

    Quantities plus(Quantities other) {
        return new Quantities(
                AMOUNTS.sum(processorSeconds, other.processorSeconds),
                AMOUNTS.sum(weighted, other.weighted),
                AMOUNTS.sum(nodeSeconds, other.nodeSeconds),
                AMOUNTS.sum(gpuSeconds, other.gpuSeconds),
                AMOUNTS.sum(memoryMbSeconds, other.memoryMbSeconds),
                AMOUNTS.sum(reserved, other.reserved),
                AMOUNTS.sum(used, other.used));
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
}
