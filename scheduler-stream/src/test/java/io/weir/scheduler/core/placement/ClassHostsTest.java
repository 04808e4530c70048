package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.plan.TestCluster;
import org.junit.jupiter.api.Test;

class ClassHostsTest {
    @Test
    void shouldAdmitEveryNodeWithoutAList() {
        assertThat(hosts("PRIORITY=1").test("n1")).isTrue();
    }

    /** A name is the whole name; an expression may match anywhere in it. */
    @Test
    void shouldAdmitNodesByNameAndByExpression() {
        ClassHosts hosts = hosts("HOSTLIST=n1,r[45]");

        assertThat(hosts.test("n1")).isTrue();
        assertThat(hosts.test("n10")).isFalse();
        assertThat(hosts.test("r4")).isTrue();
        assertThat(hosts.test("xr5y")).isTrue();
        assertThat(hosts.test("r6")).isFalse();
    }

    private static ClassHosts hosts(String attribute) {
        return new ClassHosts(TestCluster.policy("CLASSCFG[c] " + attribute).jobClass("c"));
    }
}
