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

        assertThat(keys.times(new EntityKey("quiet", "2"))).isEqualTo(1);
        assertThat(keys.times(new EntityKey("quiet", "1"))).isZero();
        assertThat(keys.times(new EntityKey("busy", "150000"))).isEqualTo(1);
        assertThat(keys.times(new EntityKey("busy", "2"))).isZero();
    }

    @Test
    void shouldCountHowOftenAKeyCame() {
        keys.add(new EntityKey("tiny", "1"));
        keys.add(new EntityKey("tiny", "1"));

        assertThat(keys.times(new EntityKey("tiny", "1"))).isEqualTo(2);
    }
}
