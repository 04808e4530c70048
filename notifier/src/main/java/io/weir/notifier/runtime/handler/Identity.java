package io.weir.notifier.runtime.handler;

/**
 * What a record is known by, in results, in dead letters and to receivers. It stands in the key and in the value of each result,
 * so its length has bounds.
 */
final class Identity {
    private static final int LONGEST = 320;

    private Identity() {}

    /**
     * Checks the identity of a record.
     *
     * @param field name of the field that {@code id} is
     * @throws UnusableRecordException when nothing could be answered to it
     */
    static void check(String cluster, String field, String id) throws UnusableRecordException {
        if (cluster.isEmpty() || cluster.indexOf('/') >= 0 || cluster.length() > LONGEST) {
            throw new UnusableRecordException(
                    "INVALID_CLUSTER",
                    "cluster is " + shown(cluster) + "; it must be named, without '/', with at most " + LONGEST
                            + " characters");
        }
        if (id.isBlank() || id.length() > LONGEST) {
            throw new UnusableRecordException(
                    "INVALID_ID",
                    field + " is " + shown(id) + "; it must have 1 to " + LONGEST
                            + " characters, or no repetition could be recognised and nothing answered");
        }
    }

    private static String shown(String text) {
        return text.length() <= LONGEST
                ? "'" + text + "'"
                : "'" + text.substring(0, 40) + "…' with " + text.length() + " characters";
    }
}
