package io.weir.notifier.snmp;

import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.OneLine;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.util.regex.Pattern;
import org.snmp4j.smi.OID;

/**
 * Sends the trap of an action to one receiver: as the notification that the action names by its object identifier, with the
 * objects of our MIB.
 */
final class TrapSender implements Actor {
    private static final String SUBJECT = "Weir update";
    private static final String OID_SETTING = "oid";

    /** RFC 2578, 7.1.3: the first two numbers are small, there are at most 128, each of 32 bits. */
    private static final Pattern OBJECT_IDENTIFIER = Pattern.compile("\\.?[0-2]\\.[0-9]{1,2}(\\.[0-9]{1,10}){1,126}");

    private static final long LARGEST = 0xFFFFFFFFL;

    private final SnmpNotifier notifier;

    TrapSender(SnmpNotifier notifier) {
        this.notifier = notifier;
    }

    @Override
    public ActionResult carryOut(Action action) throws RetriableDeliveryException, InterruptedException {
        Delivery delivery = action.asDelivery(SUBJECT);
        String oid = action.settings().getOrDefault(OID_SETTING, "");
        if (!oid.isEmpty() && !isObjectIdentifier(oid)) {
            return ActionResult.of(
                    ActionResult.Outcome.REFUSED,
                    OneLine.of("the action names the trap " + oid + "; an object identifier such as"
                            + " 1.3.6.1.4.1.8072.9999 is needed"));
        }
        try {
            Receipt receipt = oid.isEmpty() ? notifier.deliver(delivery) : notifier.deliver(delivery, new OID(oid));
            return ActionResult.of(ActionResult.Outcome.DONE, receipt.message());
        } catch (RetriableDeliveryException e) {
            throw e;
        } catch (DeliveryException e) {
            return ActionResult.of(ActionResult.Outcome.FAILED, String.valueOf(e.getMessage()));
        }
    }

    private static boolean isObjectIdentifier(String text) {
        if (!OBJECT_IDENTIFIER.matcher(text).matches()) {
            return false;
        }
        for (String number : text.split("\\.", -1)) {
            if (!number.isEmpty() && Long.parseLong(number) > LARGEST) {
                return false;
            }
        }
        return true;
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
