package io.weir.notifier.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topics.EntityKey;
import org.junit.jupiter.api.Test;

class LatestKeysTest {
    private final LatestKeys keys = new LatestKeys();

    @Test
    void shouldKnowTheLastOfAQuietClusterHoweverBusyAnotherIs() {
        keys.add(new EntityKey("quiet", "1"));
        keys.add(new EntityKey("quiet", "2"));
        for (int i = 0; i < 200_000; i++) {
            keys.add(new EntityKey("busy", Integer.toString(i)));
        }

        assertThat(keys.contains(new EntityKey("quiet", "2"))).isTrue();
        assertThat(keys.contains(new EntityKey("quiet", "1"))).isFalse();
        assertThat(keys.contains(new EntityKey("busy", "150000"))).isTrue();
        assertThat(keys.contains(new EntityKey("busy", "2"))).isFalse();
    }
}
