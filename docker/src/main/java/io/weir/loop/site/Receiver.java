package io.weir.loop.site;

import io.weir.loop.turn.SimulatedProcess;
import io.weir.loop.turn.Turns;
import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.IntSupplier;

/** Who gets the notifications, over a line on which deliveries, and answers to them, are lost. It counts what comes. */
public final class Receiver {
    private static final int CALL_MICROS = 30_000;

    private final Turns turns;
    private final Random random;
    private final IntSupplier trouble;
    private final Map<String, Integer> received = new HashMap<>();
    private final Map<String, Integer> unanswered = new HashMap<>();

    /** Creates a receiver; so many of a hundred calls go wrong as {@code trouble} says at the moment. */
    public Receiver(Turns turns, Random random, IntSupplier trouble) {
        this.turns = turns;
        this.random = random;
        this.trouble = trouble;
    }

    /** Returns the line to it from {@code process}. */
    Notifier line(SimulatedProcess process) {
        return new Notifier() {
            @Override
            public Receipt deliver(Delivery delivery) throws DeliveryException {
                process.requireAlive();
                turns.work(CALL_MICROS);
                if (fails()) {
                    throw new RetriableDeliveryException("nobody answers");
                }
                received.merge(delivery.id(), 1, Integer::sum);
                turns.work(CALL_MICROS);
                if (fails()) {
                    unanswered.merge(delivery.id(), 1, Integer::sum);
                    throw new RetriableDeliveryException("the answer is lost");
                }
                return new Receipt("taken");
            }

            @Override
            public void close() {}
        };
    }

    private boolean fails() {
        return random.nextInt(100) < trouble.getAsInt();
    }

    /** Returns how often the notification of this id came. */
    public int received(String id) {
        return received.getOrDefault(id, 0);
    }

    /** Returns how often it came and the answer was lost, so that it has to come again. */
    public int unanswered(String id) {
        return unanswered.getOrDefault(id, 0);
    }
}
