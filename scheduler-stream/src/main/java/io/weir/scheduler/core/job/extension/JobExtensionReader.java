package io.weir.scheduler.core.job.extension;

import io.weir.scheduler.core.placement.priority.Preference;
import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry;
import io.weir.scheduler.core.policy.language.value.AbsoluteTime;
import io.weir.scheduler.core.policy.language.value.BadValueException;
import io.weir.scheduler.core.policy.language.value.NodeSetText;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import io.weir.scheduler.core.policy.language.value.ValueType;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import io.weir.scheduler.core.policy.nodeset.NodeSetPlus;
import io.weir.scheduler.core.policy.nodeset.NodeSetPriority;
import io.weir.scheduler.core.policy.nodeset.NodeSetRequest;
import io.weir.scheduler.core.policy.nodeset.NodeSetSpec;
import io.weir.scheduler.core.trigger.TriggerText;
import io.weir.scheduler.core.trigger.TriggeredObject;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads one extension text; used once. */
final class JobExtensionReader {
    /** Mistakes that are named, at most. */
    private static final int MOST_MESSAGES = 32;

    private static final String OLD_PREFERENCE = "PREF(";

    private final List<NodesClause> nodes = new ArrayList<>();
    private final SortedMap<String, Long> gres = new TreeMap<>();
    private final TreeSet<String> features = new TreeSet<>();
    private final TreeSet<String> partitions = new TreeSet<>();
    private final List<String> hosts = new ArrayList<>();
    private final List<String> requiredHosts = new ArrayList<>();
    private final TreeSet<String> flags = new TreeSet<>();
    private final List<String> triggers = new ArrayList<>();
    private final List<String> messages = new ArrayList<>();
    private @Nullable Integer procs;
    private @Nullable Integer tasksPerNode;
    private boolean tasksPerNodeAtLeast;
    private @Nullable Long walltime;
    private @Nullable Long cpuSeconds;
    private @Nullable Long memory;
    private @Nullable Long swap;
    private @Nullable Long disk;
    private @Nullable String arch;
    private @Nullable String os;
    private @Nullable String network;
    private @Nullable NodeAccessPolicy access;
    private @Nullable AllocationChoice allocation;
    private @Nullable TaskDistribution distribution;
    private @Nullable NodeSetSpec nodeSet;
    private boolean noNodeSet;
    private @Nullable Boolean setOptional;
    private @Nullable Double setTolerance;
    private @Nullable NodeSetPriority setPriority;
    private @Nullable NodeSetPlus setPlus;
    private @Nullable String preference;
    private @Nullable String reservation;
    private @Nullable String jobClass;
    private @Nullable String qos;
    private @Nullable String application;
    private @Nullable String failurePolicy;
    private boolean noKill;
    private @Nullable Boolean restartable;
    private @Nullable Boolean checkpointable;
    private @Nullable AbsoluteTime deadline;
    private @Nullable String refusal;

    JobExtension read(String text) {
        for (ExtensionText.Pair pair : ExtensionText.pairs(text)) {
            take(pair);
        }
        if (procs != null
                && !nodes.isEmpty()
                && procs != nodes.stream().mapToInt(NodesClause::tasks).sum()) {
            say("procs: nodes= says how many processors are asked for; ignored");
        }
        return new JobExtension(
                new JobExtension.Size(nodes, procs, tasksPerNode, tasksPerNodeAtLeast, walltime, cpuSeconds),
                new JobExtension.Task(memory, swap, disk, gres, arch, os, network, List.copyOf(features)),
                new JobExtension.Place(
                        List.copyOf(partitions),
                        hosts,
                        requiredHosts,
                        access,
                        allocation,
                        distribution,
                        new NodeSetRequest(nodeSet, noNodeSet, setOptional, setTolerance, setPriority, setPlus, null),
                        preference,
                        reservation),
                new JobExtension.Labels(jobClass, qos, application),
                new JobExtension.Failure(failurePolicy, noKill, restartable, checkpointable),
                List.copyOf(flags),
                deadline,
                triggers,
                messages,
                refusal);
    }

    private void take(ExtensionText.Pair pair) {
        try {
            if (!known(pair.key(), pair.value())) {
                say("unknown extension '" + pair.key() + "', ignored");
            }
        } catch (BadValueException e) {
            String message = pair.key() + ": " + e.reason();
            if (pair.key().startsWith("nodeset")) {
                refusal = refusal == null ? message : refusal;
            } else {
                say(message + "; ignored");
            }
        }
    }

    /** Notes what its author should know; a long text of nothing but mistakes is not told one by one. */
    private void say(String message) {
        if (messages.size() < MOST_MESSAGES) {
            messages.add(message);
        } else if (messages.size() == MOST_MESSAGES) {
            messages.add("the extension has more that is unknown or wrong, ignored");
        }
    }

    private boolean known(String key, String value) throws BadValueException {
        return size(key, value) || task(key, value) || place(key, value) || nodeSet(key, value) || other(key, value);
    }

    private boolean size(String key, String value) throws BadValueException {
        switch (key) {
            case "nodes" -> {
                List<NodesClause> clauses = NodesClause.parse(value);
                nodes.clear();
                nodes.addAll(clauses);
            }
            case "procs" -> procs = count(value);
            case "tpn" -> {
                boolean atLeast = value.endsWith("+");
                tasksPerNode = count(atLeast ? value.substring(0, value.length() - 1) : value);
                tasksPerNodeAtLeast = atLeast;
            }
            case "walltime" -> walltime = limit(value);
            case "cput" -> cpuSeconds = seconds(value);
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean task(String key, String value) throws BadValueException {
        switch (key) {
            case "mem", "dmem" -> memory = ValueType.megabytesOf(value);
            case "swap" -> swap = ValueType.megabytesOf(value);
            case "disk" -> disk = ValueType.megabytesOf(value);
            case "gres" -> resources(value);
            case "arch" -> arch = named(value);
            case "os", "opsys" -> os = named(value);
            case "network" -> network = named(value);
            case "feature", "features" -> features.addAll(List.of(named(value).split("[:,]", -1)));
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Reads names after which {@code *} says that others may join them, and {@code ^} that these are all; so they are without. */
    private void hosts(String text) throws BadValueException {
        boolean joined = text.endsWith("*");
        String names = joined || text.endsWith("^") ? text.substring(0, text.length() - 1) : text;
        List<String> read = List.of(named(names).split("[,+]", -1));
        hosts.clear();
        requiredHosts.clear();
        (joined ? requiredHosts : hosts).addAll(read);
    }

    private boolean place(String key, String value) throws BadValueException {
        switch (key) {
            case "partition" -> partitions.addAll(List.of(named(value).split("[:,&|]", -1)));
            case "hostlist" -> hosts(named(value));
            case "naccesspolicy" -> access = NodeAccessPolicy.valueOf(as("NODEACCESSPOLICY", value));
            case "nallocpolicy" -> allocation = AllocationChoice.of(as("NODEALLOCATIONPOLICY", value));
            case "taskdist" -> distribution = TaskDistribution.valueOf(as("TASKDISTRIBUTIONPOLICY", value));
            case "pref" -> preference(value);
            case "advres" -> reservation = value;
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean nodeSet(String key, String value) throws BadValueException {
        switch (key) {
            case "nodeset" -> {
                NodeSetText text = NodeSetText.parse(value);
                nodeSet = NodeSetSpec.of(text);
                noNodeSet = nodeSet == null;
            }
            case "nodesetisoptional" ->
                setOptional = value("NODESETISOPTIONAL", value) instanceof PolicyValue.Flag flag && flag.on();
            case "nodesettolerance" ->
                setTolerance =
                        value("NODESETTOLERANCE", value) instanceof PolicyValue.Decimal number ? number.number() : null;
            case "nodesetprioritytype" -> setPriority = NodeSetPriority.valueOf(as("NODESETPRIORITYTYPE", value));
            case "nodesetplus" -> setPlus = NodeSetPlus.valueOf(as("NODESETPLUS", value));
            case "nodesetdelay" ->
                say("nodesetdelay: jobs may not set how long they wait for a node set; ignored, ask an operator");
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean other(String key, String value) throws BadValueException {
        switch (key) {
            case "class", "queue" -> jobClass = named(value);
            case "qos" -> qos = named(value);
            case "application" -> application = named(value);
            case "flags" -> flags(value);
            case "resfailpolicy" -> failurePolicy = as("NODEALLOCRESFAILUREPOLICY", value);
            case "nokill" -> noKill = flag(value);
            case "restartable" -> restartable = flag(value);
            case "checkpointable" -> checkpointable = flag(value);
            case "deadline" -> deadline = AbsoluteTime.parse(value);
            case "trig" -> trigger(value);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Takes a trigger, for the place it has among those of its job, and says why it will not fire if that is so. */
    private void trigger(String value) {
        triggers.add(value);
        String problem = triggers.size() > TriggeredObject.MOST_OWN
                ? "a job has up to " + TriggeredObject.MOST_OWN + " triggers"
                : TriggerText.ofOwner(value);
        if (problem != null) {
            say("trig: " + problem + "; ignored");
        }
    }

    private void resources(String value) throws BadValueException {
        for (String item : named(value).split("[,+]", -1)) {
            int colon = item.lastIndexOf(':');
            gres.put(colon < 0 ? item : item.substring(0, colon), colon < 0 ? 1L : count(item.substring(colon + 1)));
        }
    }

    private void flags(String value) throws BadValueException {
        JobFlags said = JobFlags.of(List.of(named(value).split("[,|]", -1)));
        reservation = said.reservation() == null ? reservation : said.reservation();
        for (String flag : said.others()) {
            if (!flag.isEmpty()) {
                flags.add(flag.toUpperCase(Locale.ROOT));
            }
        }
    }

    private void preference(String value) throws BadValueException {
        boolean old = value.regionMatches(true, 0, OLD_PREFERENCE, 0, OLD_PREFERENCE.length()) && value.endsWith(")");
        String expression = old ? value.substring(OLD_PREFERENCE.length(), value.length() - 1) : value;
        Preference.Reading reading = Preference.read(expression);
        String problem = reading.problem();
        if (problem != null) {
            throw new BadValueException(problem);
        }
        preference = expression;
    }

    private static String named(String value) throws BadValueException {
        if (value.isEmpty()) {
            throw new BadValueException("has no value");
        }
        return value;
    }

    private static int count(String value) throws BadValueException {
        if (!value.isEmpty() && value.length() <= 9 && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            int number = Integer.parseInt(value);
            if (number > 0 && number <= Limit.PROCS) {
                return number;
            }
        }
        throw new BadValueException("'" + value + "' is not a number from 1 to " + Limit.PROCS);
    }

    /** Reads a time limit; 0, -1 and INFINITY are none. */
    private static long limit(String value) throws BadValueException {
        long seconds = value.equals("-1") || value.equalsIgnoreCase("UNLIMITED") ? 0 : seconds(value);
        return seconds == 0 ? PolicyTime.LONGEST : seconds;
    }

    private static long seconds(String value) throws BadValueException {
        long seconds = value.equalsIgnoreCase("INFINITY") ? PolicyTime.LONGEST : PolicyTime.seconds(value);
        if (seconds < 0) {
            throw new BadValueException("'" + value + "' is not a time; write [[[DD:]HH:]MM:]SS");
        }
        return seconds;
    }

    private static boolean flag(String value) throws BadValueException {
        return value.isEmpty() || (value("JOBREALLOCATE", value) instanceof PolicyValue.Flag flag && flag.on());
    }

    /** Reads a value as the site's parameter of that name is read. */
    private static PolicyValue value(String parameter, String text) throws BadValueException {
        return ParameterRegistry.get().require(parameter).read(text);
    }

    private static String as(String parameter, String text) throws BadValueException {
        return value(parameter, text).text();
    }
}
