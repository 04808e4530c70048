package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OpenRateTest {
    private static final long TENTH = 100_000_000L;

    private final AtomicLong clock = new AtomicLong();
    private final OpenRate rate = new OpenRate(10, 20, clock::get);

    @Test
    void shouldGiveEachNetworkTheRateOfOnePrincipal() {
        ClientNetwork one = network(1);
        for (int i = 0; i < 200; i++) {
            assertThat(rate.take(one)).isZero();
        }

        assertThat(rate.take(one)).isPositive();
        assertThat(rate.take(network(2))).isZero();
    }

    @Test
    void shouldKeepOutNobodyThoughTenOthersAskWithoutEnd() {
        for (int tenth = 0; tenth < 1_000; tenth++) {
            for (int other = 1; other <= 10; other++) {
                for (int i = 0; i < 5; i++) {
                    rate.take(network(other));
                }
            }
            if (tenth % 5 == 0) {
                assertThat(rate.take(network(77))).as("tenth %s", tenth).isZero();
            }
            clock.addAndGet(TENTH);
        }
    }

    @Test
    void shouldLimitAllNetworksTogether() {
        int through = 0;
        for (int tenth = 0; tenth < 1_000; tenth++) {
            for (int i = 0; i < 50; i++) {
                through += rate.take(network(tenth * 50 + i)) == 0 ? 1 : 0;
            }
            clock.addAndGet(TENTH);
        }

        assertThat(through)
                .as("sixteen times 10 a second, and 20 seconds' worth at once")
                .isBetween(16_000, 19_200);
    }

    @Test
    void shouldRememberTenThousandNetworksAtMost() {
        for (int i = 0; i < 30_000; i++) {
            rate.take(network(i));
            clock.addAndGet(TENTH);
        }

        assertThat(rate.size()).isEqualTo(10_000);
    }

    private static ClientNetwork network(int number) {
        return ClientNetwork.of("10." + number / 65_536 + "." + number / 256 % 256 + "." + number % 256);
    }
}
