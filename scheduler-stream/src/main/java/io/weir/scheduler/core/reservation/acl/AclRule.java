package io.weir.scheduler.core.reservation.acl;

/** What a match of an entry means. At most one rule applies to an entry: of several modifiers the last read wins. */
public enum AclRule {
    /** Access. */
    ALLOW(""),
    /** No access, whatever else matches. */
    DENY("!"),
    /** Every such entry must match. */
    REQUIRE("*"),
    /** Access for everybody but the ones listed. */
    OTHERS("^"),
    /** Access, and no other place to run. */
    LOCK("&");

    private final String sign;

    AclRule(String sign) {
        this.sign = sign;
    }

    String sign() {
        return sign;
    }
}
