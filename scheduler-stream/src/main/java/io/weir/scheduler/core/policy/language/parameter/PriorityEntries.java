package io.weir.scheduler.core.policy.language.parameter;

import static io.weir.scheduler.core.policy.language.value.ValueTypes.*;

import io.weir.scheduler.core.policy.language.value.ValueType;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Parameters about the order of the queue. */
final class PriorityEntries {
    private static final long MOST_WINDOWS = 10_000;

    private PriorityEntries() {}

    static void define(ParameterRegistry r) {
        r.area("Priority");
        r.plain("ENABLENEGJOBPRIORITY", FLAG, "FALSE", "Whether priorities below 1 are kept as they are.");
        weight(r, "CREDWEIGHT", "1", "the component of credentials");
        weight(r, "FSWEIGHT", "1", "the component of fairshare");
        weight(r, "RESWEIGHT", "1", "the component of requested resources");
        weight(r, "SERVICEWEIGHT", "1", "the component of service");
        weight(r, "TARGETWEIGHT", "1", "the component of service targets");
        r.deprecated("TARGWEIGHT", "TARGETWEIGHT");
        weight(r, "USAGEWEIGHT", "0", "the component of usage, for running jobs");
        for (String credential : new String[] {"USER", "GROUP", "ACCOUNT", "QOS", "CLASS"}) {
            weight(r, credential + "WEIGHT", "1", "the priority of the job's " + called(credential));
        }
        weight(r, "QUEUETIMEWEIGHT", "1", "each minute in the queue");
        weight(r, "XFACTORWEIGHT", "0", "the expansion factor");
        weight(r, "BYPASSWEIGHT", "0", "each time a lower job started first");
        weight(r, "USERPRIOWEIGHT", "1", "the priority that the job's owner gave it");
        for (String resource : new String[] {"NODE", "PROC", "MEM", "SWAP", "DISK", "PS", "PE", "WALLTIME"}) {
            weight(r, resource + "WEIGHT", "0", "requested " + requested(resource));
        }
        for (String credential : new String[] {"USER", "GROUP", "ACCOUNT", "QOS", "CLASS"}) {
            weight(r, "FS" + credential + "WEIGHT", "0", "fairshare of the job's " + called(credential));
        }
        weight(r, "TARGETQUEUETIMEWEIGHT", "0", "how near the QoS's queue time target is");
        weight(r, "TARGETXFACTORWEIGHT", "0", "how near the QoS's expansion factor target is");
        r.plain("QUEUETIMECAP", RATE, "0", "Most minutes of queue time that count; 0 for no limit.");
        r.plain("XFACTORCAP", RATE, "0", "Highest expansion factor that counts; 0 for no limit.");
        r.plain("USERPRIOCAP", RATE, "0", "Largest priority of a job's owner that counts, either way; 0 for no limit.");
        r.plain("RESCAP", RATE, "0", "Largest sum of the resource component; 0 for no limit.");
        r.plain("FSCAP", RATE, "0", "Largest sum of the fairshare component, either way; 0 for no limit.");
        r.plain("XFMINWCLIMIT", TIME, null, "Shortest time limit an expansion factor is reckoned with.");
        r.plain(
                "JOBPRIOACCRUALPOLICY",
                ValueType.choice("ALWAYS", "QUEUEPOLICY", "FULLPOLICY"),
                "QUEUEPOLICY",
                "While what holds a job its queue time does not grow.");
        r.area("Fairshare");
        r.plain(
                "FSPOLICY",
                ValueType.choices(
                        List.of("DEDICATEDPS", "NONE"),
                        Map.of("DEDICATEDPS%", "DEDICATEDPS", "PSDEDICATED", "DEDICATEDPS")),
                "NONE",
                "What usage is measured in.");
        r.plain("FSINTERVAL", ValueType.interval(1), "24:00:00", "Length of a window.");
        r.plain("FSDEPTH", ValueType.whole(1, MOST_WINDOWS), "7", "How many windows count.");
        r.plain("FSDECAY", ValueType.decimal(0, 1), "1.0", "How much less each older window counts.");
    }

    private static void weight(ParameterRegistry r, String name, String standard, String what) {
        r.plain(name, WEIGHT, standard, "Weight of " + what + ".");
    }

    private static String called(String credential) {
        return credential.equals("QOS") ? "QoS" : credential.toLowerCase(Locale.ROOT);
    }

    private static String requested(String resource) {
        return switch (resource) {
            case "NODE" -> "nodes";
            case "PROC" -> "processors";
            case "MEM" -> "memory, in MB";
            case "SWAP" -> "swap, in MB";
            case "DISK" -> "disk, in MB";
            case "PS" -> "processor seconds";
            case "PE" -> "processor equivalents";
            default -> "time, in seconds";
        };
    }
}
