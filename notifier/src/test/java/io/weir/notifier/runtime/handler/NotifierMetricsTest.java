package io.weir.notifier.runtime.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.notifier.spi.DeliveryException;
import org.junit.jupiter.api.Test;

class NotifierMetricsTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final NotifierMetrics.OfChannel ops = new NotifierMetrics(meters).of("ops");

    @Test
    void shouldTellAFailingChannelFromAWorkingOne() {
        ops.attemptFailed();
        ops.attemptFailed();
        ops.givenUp();
        assertThat(failuresInARow()).isEqualTo(3);

        ops.delivered();
        assertThat(failuresInARow()).isZero();
    }

    @Test
    void shouldTimeFailedAttemptsToo() {
        assertThatThrownBy(() -> ops.timed(() -> {
                    throw new DeliveryException("no");
                }))
                .isInstanceOf(DeliveryException.class);

        assertThat(meters.get("weir.notifier.attempt").timer().count()).isEqualTo(1);
    }

    private double failuresInARow() {
        return meters.get("weir.notifier.failures.in.a.row").gauge().value();
    }
}
