package io.weir.notifier.runtime.handler;

import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.Receipt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** A channel that fails as it is told, takes everything else and notes every attempt. */
public final class FakeChannel implements Notifier {

    public final List<Delivery> attempts = new ArrayList<>();
    public final Queue<Exception> failures = new ArrayDeque<>();
    public boolean closed;
    public boolean recognisesRepetitions = true;

    @Override
    public Receipt deliver(Delivery delivery) throws DeliveryException, InterruptedException {
        attempts.add(delivery);
        Exception failure = failures.poll();
        if (failure instanceof DeliveryException told) {
            throw told;
        }
        if (failure instanceof InterruptedException told) {
            throw told;
        }
        if (failure instanceof RuntimeException told) {
            throw told;
        }
        return new Receipt("taken");
    }

    @Override
    public boolean recognisesRepetitions() {
        return recognisesRepetitions;
    }

    @Override
    public void close() {
        closed = true;
    }
}
