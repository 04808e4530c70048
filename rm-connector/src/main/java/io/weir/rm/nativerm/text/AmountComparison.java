package io.weir.rm.nativerm.text;

/** How an amount of a node is compared with what a job asks for. */
public enum AmountComparison {
    /** Less. */
    LESS("<"),
    /** Less or the same. */
    AT_MOST("<="),
    /** The same. */
    EQUAL("=="),
    /** More or the same. */
    AT_LEAST(">="),
    /** More. */
    MORE(">");

    private final String sign;

    AmountComparison(String sign) {
        this.sign = sign;
    }

    /** Returns the sign that the text uses. */
    public String sign() {
        return sign;
    }
}
