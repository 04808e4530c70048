package io.weir.notifier.runtime.loop;

import io.weir.service.ServiceLifecycle;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that steps a loop until it is told to stop, and then closes it. What the loop cannot get over fails the
 * service. {@code stop} and {@code finish} may be called from any thread.
 */
public final class LoopThread {

    private static final Logger log = LoggerFactory.getLogger(LoopThread.class);

    private final RecordLoop loop;
    private final ServiceLifecycle lifecycle;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;

    private LoopThread(String name, RecordLoop loop, ServiceLifecycle lifecycle) {
        this.loop = loop;
        this.lifecycle = lifecycle;
        this.thread = new Thread(this::run, name);
    }

    /** Starts to step {@code loop} on a thread called {@code name}, which owns and closes it from here on. */
    public static LoopThread start(String name, RecordLoop loop, ServiceLifecycle lifecycle) {
        LoopThread started = new LoopThread(name, loop, lifecycle);
        started.thread.start();
        return started;
    }

    /** Asks it to stop behind the record in hand. */
    public void stop() {
        stop.countDown();
    }

    /** Waits for its end, for {@code limit} at the longest; returns whether it has ended. */
    public boolean join(Duration limit) throws InterruptedException {
        if (!limit.isNegative() && !limit.isZero()) {
            thread.join(limit.toMillis() + 1);
        }
        return !thread.isAlive();
    }

    /** Breaks off what is in hand; it is handled again at the next start. */
    public void breakOff() {
        thread.interrupt();
    }

    @Override
    public String toString() {
        return "reader " + thread.getName();
    }

    private void run() {
        try (loop) {
            boolean works = true;
            while (stop.getCount() > 0 || (works && loop.isBusy())) {
                works = loop.step();
                if (!works) {
                    pause();
                }
            }
        } catch (InterruptedException | InterruptException e) {
            log.warn("interrupted; the record in hand is handled again at the next start");
        } catch (ProducerFencedException | FencedInstanceIdException e) {
            lifecycle.fail(new IllegalStateException(
                    "Another notifier has joined with the same notifier.instance and goes on in place of this one; every"
                            + " process needs a notifier.instance of its own",
                    e));
        } catch (RuntimeException | Error e) {
            lifecycle.fail(e);
        }
    }

    private void pause() throws InterruptedException {
        if (stop.await(loop.backOff().toMillis(), TimeUnit.MILLISECONDS)) {
            log.debug("stopped while it waited after a failure");
        }
    }
}
