/**
 * The contract between the notifier and a channel: what is delivered, how a channel answers, and who may call what when.
 *
 * <p><b>Finding.</b> A channel is a {@link io.weir.notifier.spi.NotifierProvider} named in
 * {@code META-INF/services}. The runner makes one instance of every provider, asks it for its type and settings, and opens
 * one {@link io.weir.notifier.spi.Notifier} per configured channel.
 *
 * <p><b>Threads.</b> A notifier is opened by the thread that starts the process and is then handed over to one thread, its
 * channel's own, which uses and closes it; two channels of the same type are two notifiers on two threads. A notifier
 * needs no locks unless it starts threads itself, and whatever it starts it stops in {@code close}.
 *
 * <p><b>Timeouts.</b> {@code deliver} is one attempt and comes back within the channel's own timeout, two minutes at the
 * longest. It never sleeps, never retries and never queues: the runner owns back-off and order. An interrupt ends the
 * attempt with {@link java.lang.InterruptedException}; it happens only when the process can wait no longer.
 *
 * <p><b>Answers.</b> Coming back means that the receiver has taken the delivery, durably where it can be.
 * {@link io.weir.notifier.spi.RetriableDeliveryException} means that the same delivery may succeed later,
 * {@link io.weir.notifier.spi.DeliveryException} that it never will. Any other exception is a defect of the channel; the
 * runner treats it as retriable.
 *
 * <p><b>Idempotence.</b> {@code Delivery.id} is the key. A delivery is handed over again after a crash, or when its answer
 * could not be recorded, with the same id and the same content. A channel that can tell what it delivered answers such a
 * repetition without delivering it; a channel that cannot passes the key on to the receiver.
 *
 * <p><b>Closing.</b> {@code close} is called once the last {@code deliver} has come back, also after an interrupt; it may
 * be called twice and does not throw checked exceptions. Nothing is buffered, so there is nothing to flush.
 *
 * <p>Nothing of Kafka but the description of settings, and no channel, may go in here.
 */
@NullMarked
package io.weir.notifier.spi;

import org.jspecify.annotations.NullMarked;
