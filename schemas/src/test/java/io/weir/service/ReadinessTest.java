package io.weir.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;

class ReadinessTest {

    private final Readiness readiness = new Readiness();

    @Test
    void shouldBeReadyWhenNothingIsAskedFor() {
        assertThat(readiness.isReady()).isTrue();
    }

    @Test
    void shouldBeReadyOnlyWhileEveryConditionIsMet() {
        Readiness.Condition broker = readiness.declare("broker");
        Readiness.Condition streams = readiness.declare("streams");
        assertThat(readiness.isReady()).isFalse();

        broker.met();
        assertThat(readiness.isReady()).isFalse();

        streams.met();
        assertThat(readiness.isReady()).isTrue();

        broker.unmet("connection lost");
        assertThat(readiness.isReady()).isFalse();
        assertThat(readiness.report()).containsExactly(entry("broker", "connection lost"), entry("streams", "ok"));
    }
}
