package io.weir.notifier.spi;

/** Carries actions out by telling somebody: as deliveries of a channel. */
public final class NotifyingActor implements Actor {

    private final Notifier notifier;
    private final String subject;

    /** Uses and closes {@code notifier}; {@code subject} is that of actions without one. */
    public NotifyingActor(Notifier notifier, String subject) {
        this.notifier = notifier;
        this.subject = subject;
    }

    @Override
    public ActionResult carryOut(Action action) throws RetriableDeliveryException, InterruptedException {
        try {
            Receipt receipt = notifier.deliver(action.asDelivery(subject));
            return ActionResult.of(ActionResult.Outcome.DONE, receipt.message());
        } catch (RetriableDeliveryException e) {
            throw e;
        } catch (DeliveryException e) {
            return ActionResult.of(ActionResult.Outcome.FAILED, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public boolean repeatable() {
        return true;
    }

    @Override
    public void close() {
        notifier.close();
    }
}
