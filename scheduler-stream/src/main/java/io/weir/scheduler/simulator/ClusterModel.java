package io.weir.scheduler.simulator;

/**
 * A cluster of uniform nodes.
 *
 * @param nodes nodes, at least 1
 * @param procsPerNode processors of each, at least 1
 */
public record ClusterModel(int nodes, int procsPerNode) {
    private static final int MOST_PROCESSORS = 10_000_000;

    public ClusterModel {
        if (nodes < 1 || procsPerNode < 1 || (long) nodes * procsPerNode > MOST_PROCESSORS) {
            throw new IllegalArgumentException("a cluster of " + nodes + " nodes with " + procsPerNode
                    + " processors is not possible; both at least 1, together at most " + MOST_PROCESSORS);
        }
    }

    /** Returns the processors of all nodes. */
    public int processors() {
        return nodes * procsPerNode;
    }

    /** Returns the name of the node at {@code position}, zero-padded so that names sort in order. */
    public String nodeName(int position) {
        String number = Integer.toString(position + 1);
        int width = Math.max(4, Integer.toString(nodes).length());
        return "n" + "0".repeat(width - number.length()) + number;
    }
}
