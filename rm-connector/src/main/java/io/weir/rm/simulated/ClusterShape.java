package io.weir.rm.simulated;

/**
 * The simulated machine: equal nodes in one pool.
 *
 * @param nodes how many, at least 1
 * @param procsPerNode processors of each, at least 1
 */
record ClusterShape(int nodes, int procsPerNode) {
    private static final int FEWEST_DIGITS = 4;

    /** Returns the processors of the whole machine. */
    int processors() {
        return Math.multiplyExact(nodes, procsPerNode);
    }

    /** Returns the name of the node at {@code index} (from 0): {@code n0001} and on, of equal length. */
    String nodeName(int index) {
        int digits = Math.max(FEWEST_DIGITS, Integer.toString(nodes).length());
        return "n" + "0".repeat(digits - Integer.toString(index + 1).length()) + (index + 1);
    }
}
