package io.weir.scheduler.core.nodeset;

/** Numbers in lists of node sets. */
final class ListedNumber {
    private static final int MOST_DIGITS = 9;

    private ListedNumber() {}

    /** Returns the number {@code text} stands for; 0 when it is none or has more than nine digits. */
    static long of(String text) {
        boolean digits = !text.isEmpty() && text.length() <= MOST_DIGITS;
        for (int i = 0; i < text.length() && digits; i++) {
            digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        return digits ? Long.parseLong(text) : 0;
    }
}
