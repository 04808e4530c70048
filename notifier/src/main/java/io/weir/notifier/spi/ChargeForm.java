package io.weir.notifier.spi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.schemas.Charge;
import io.weir.service.http.PercentEncoding;
import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a charge is written for others. What gives back is negative in all of them, so that sums are what is owed. Pure.
 */
public final class ChargeForm {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int THOUSANDTHS = 3;

    private ChargeForm() {}

    /**
     * Returns a line of an allocation manager's file, without its end: {@code EPOCH ID JOB|RSV OBJECT
     * START|INTERIM|FINAL|REFUND name=value…}. A blank, a percent sign or an equals sign in a value is %XX; what is not
     * known is empty.
     */
    public static String line(Charge charge) {
        long sign = sign(charge);
        return charge.getTime().getEpochSecond() + " " + id(charge) + " "
                + (charge.getObjectType().equals("job") ? "JOB " : "RSV ") + word(charge.getObjectId()) + " "
                + phase(charge)
                + " acct=" + word(charge.getAccount())
                + " user=" + word(charge.getUser())
                + " group=" + word(charge.getGroup())
                + " qos=" + word(charge.getQos())
                + " start=" + charge.getStart().getEpochSecond()
                + " end=" + charge.getEnd().getEpochSecond()
                + " reservedps=" + sign * charge.getReservedProcSeconds()
                + " usedps=" + sign * charge.getUsedProcSeconds()
                + " unusedps=" + sign * unused(charge)
                + " rate=" + decimal(charge.getRateMillis())
                + " charge=" + amount(charge)
                + " nodes=" + word(String.join(",", charge.getNodes()));
    }

    /** Returns its id as it stands in {@link #line}: unique in all clusters, and without blanks. */
    public static String id(Charge charge) {
        return word(charge.getCluster() + "/" + charge.getChargeId());
    }

    /** Returns it as an event of the CloudEvents specification in structured mode, as OpenMeter takes usage. */
    public static String cloudEvent(Charge charge) {
        String account = charge.getAccount();
        String user = charge.getUser();
        ObjectNode event = MAPPER.createObjectNode()
                .put("specversion", "1.0")
                .put("id", charge.getChargeId())
                .put("source", "/weir/" + PercentEncoding.encode(charge.getCluster()))
                .put("type", "io.weir.charge")
                .put("subject", account != null ? account : user != null ? user : "")
                .put("time", charge.getTime().toString())
                .put("datacontenttype", "application/json");
        event.set("data", properties(charge));
        return text(event);
    }

    /** Returns it as an event of Lago's interface, of the metric {@code code}; the account is the subscription. */
    public static String lago(Charge charge, String code) {
        String account = charge.getAccount();
        String user = charge.getUser();
        ObjectNode event = MAPPER.createObjectNode()
                .put("transaction_id", charge.getCluster() + "/" + charge.getChargeId())
                .put("external_subscription_id", account != null ? account : user != null ? user : "")
                .put("code", code)
                .put("timestamp", charge.getTime().getEpochSecond());
        event.set("properties", properties(charge));
        return text(MAPPER.createObjectNode().set("event", event));
    }

    private static ObjectNode properties(Charge charge) {
        long sign = sign(charge);
        return MAPPER.createObjectNode()
                .put("kind", charge.getKind())
                .put("amount", amount(charge))
                .put("unit", charge.getUnit())
                .put("objectType", charge.getObjectType())
                .put("objectId", charge.getObjectId())
                .put("account", charge.getAccount())
                .put("user", charge.getUser())
                .put("group", charge.getGroup())
                .put("qos", charge.getQos())
                .put("class", charge.getJobClass())
                .put("start", charge.getStart().toString())
                .put("end", charge.getEnd().toString())
                .put("processorSeconds", sign * charge.getProcessorSeconds())
                .put("nodeSeconds", sign * charge.getNodeSeconds())
                .put("gpuSeconds", sign * charge.getGpuSeconds())
                .put("memoryMbSeconds", sign * charge.getMemoryMbSeconds())
                .put("tariff", charge.getTariff())
                .put("endReason", charge.getEndReason())
                .put("corrects", charge.getCorrects())
                .put("interim", charge.getInterim())
                .put("number", charge.getNumber());
    }

    private static String phase(Charge charge) {
        if (sign(charge) < 0) {
            return charge.getKind().toUpperCase(Locale.ROOT);
        }
        return charge.getInterim() ? "INTERIM" : "FINAL";
    }

    /** A refund and a release give back. */
    private static long sign(Charge charge) {
        return charge.getKind().equals("refund") || charge.getKind().equals("release") ? -1 : 1;
    }

    private static long unused(Charge charge) {
        return charge.getObjectType().equals("job") ? 0 : charge.getReservedProcSeconds() - charge.getUsedProcSeconds();
    }

    private static String amount(Charge charge) {
        return decimal(sign(charge) * charge.getAmountMillis());
    }

    private static String decimal(long thousandths) {
        return BigDecimal.valueOf(thousandths, THOUSANDTHS).toPlainString();
    }

    private static String word(@Nullable String text) {
        return text == null ? "" : PercentEncoding.encode(text).replace("=", "%3D");
    }

    private static String text(Object tree) {
        try {
            return MAPPER.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of texts and numbers cannot fail to be written", e);
        }
    }
}
