package io.weir.notifier.snmp;

import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.OneLine;
import io.weir.schemas.Severity;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.snmp4j.smi.Integer32;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.VariableBinding;

/**
 * The objects of WEIR-MIB and how a delivery fills them. Texts are UTF-8 of bounded size without control characters but
 * line ends; the agent that receives them prints them as they are. Immutable.
 *
 * @param root where the MIB hangs
 */
record WeirMib(OID root) {

    /** Where WEIR-MIB.txt puts it: in the part of net-snmp's tree that is for everybody's own use. */
    static final String DEFAULT_ROOT = "1.3.6.1.4.1.8072.9999.9999.9345";

    private static final int LONGEST_TEXT_BYTES = 1_024;
    private static final int LONGEST_NAME_BYTES = 255;

    /** The notification: {@code weirNotification}. */
    OID notification() {
        return below(0, 1);
    }

    /** Returns the objects of {@code delivery}, in the order of the MIB. */
    List<VariableBinding> objects(Delivery delivery) {
        List<VariableBinding> objects = new ArrayList<>();
        objects.add(text(1, delivery.id(), LONGEST_NAME_BYTES));
        objects.add(text(2, delivery.cluster(), LONGEST_NAME_BYTES));
        objects.add(text(3, delivery.time().toString(), LONGEST_NAME_BYTES));
        objects.add(new VariableBinding(below(1, 4, 0), new Integer32(number(delivery.severity()))));
        objects.add(text(5, delivery.event(), LONGEST_NAME_BYTES));
        objects.add(text(6, delivery.objectType(), LONGEST_NAME_BYTES));
        objects.add(text(7, delivery.objectId(), LONGEST_NAME_BYTES));
        objects.add(text(8, delivery.subject(), LONGEST_NAME_BYTES));
        objects.add(text(9, delivery.text(), LONGEST_TEXT_BYTES));
        objects.add(new VariableBinding(below(1, 10, 0), new Integer32(delivery.possibleDuplicate() ? 1 : 2)));
        return objects;
    }

    private VariableBinding text(int number, String value, int longest) {
        String cut = OneLine.cut(OneLine.of(value), longest);
        return new VariableBinding(below(1, number, 0), new OctetString(cut.getBytes(StandardCharsets.UTF_8)));
    }

    private OID below(int... numbers) {
        OID oid = new OID(root);
        for (int number : numbers) {
            oid.append(number);
        }
        return oid;
    }

    private static int number(Severity severity) {
        return switch (severity) {
            case UNKNOWN -> 0;
            case INFO -> 1;
            case WARNING -> 2;
            case ERROR -> 3;
        };
    }
}
