package io.weir.scheduler.core.policy.language.parameter;

import static io.weir.scheduler.core.policy.language.value.ValueTypes.*;

import io.weir.scheduler.core.placement.priority.PriorityFunction;
import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry.Attributes;
import io.weir.scheduler.core.policy.language.value.BadValueException;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import io.weir.scheduler.core.policy.language.value.Token;
import io.weir.scheduler.core.policy.language.value.ValueType;

/** Parameters about nodes: their attributes, their health, and when they have room. */
final class NodeEntries {
    private NodeEntries() {}

    static void define(ParameterRegistry r) {
        availability(r);
        health(r);
        r.object(
                "NODECFG",
                IndexRule.DEFAULT,
                "A node; DEFAULT holds for all nodes that say nothing else.",
                attributes());
    }

    private static void availability(ParameterRegistry r) {
        r.area("Availability");
        r.plain(
                "NODEAVAILABILITYPOLICY",
                AVAILABILITY,
                "COMBINED",
                "What counts as used of each resource: what jobs were given, what is measured, or the larger.");
        r.plain("NODEMAXLOAD", RATE, "0", "Load from which a node takes no more work; 0 for no limit.");
        r.plain(
                "NODELOADPOLICY",
                ValueType.choice("ADJUSTSTATE", "ADJUSTPROCS"),
                "ADJUSTSTATE",
                "Whether a load limit makes a node busy or takes processors away.");
        r.plain(
                "NODEDOWNSTATEDELAYTIME",
                TIME_OR_NEVER,
                "-1",
                "How far ahead of now, at any time, a node that is down counts as unavailable; -1 for always.");
        r.deprecated("DOWNNODEDELAYTIME", "NODEDOWNSTATEDELAYTIME");
        r.plain(
                "NODEDRAINSTATEDELAYTIME",
                TIME_OR_NEVER,
                "3:00:00",
                "How far ahead of now, at any time, a node that is drained or draining counts as unavailable; -1 for always.");
        r.plain(
                "NODEBUSYSTATEDELAYTIME",
                TIME,
                "0:01:00",
                "How far ahead a node that is busy for no known reason counts as unavailable, and what is in use of one beyond what jobs were given.");
        r.plain(
                "FEATUREPROCSPEEDHEADER",
                FEATURE_HEADER,
                null,
                "Prefix of features that tell the processor speed, such as xps for xps950.");
        r.plain("FEATUREPARTITIONHEADER", FEATURE_HEADER, null, "Prefix of features that tell the partition.");
        r.plain("FEATURENODETYPEHEADER", FEATURE_HEADER, null, "Prefix of features that tell the node type.");
    }

    private static void health(ParameterRegistry r) {
        r.plain(
                "NODEFAILURERESERVETIME",
                TIME,
                "0:05:00",
                "How long a node is reserved after a failure that did not bring it down; 0 for not at all.");
        r.plain(
                "NODEPOLLTIMEOUT",
                TIME,
                "5:00",
                "Silence of a resource manager after which its nodes count as down, for new jobs; 0 for never. More than the"
                        + " scheduler's clock may run ahead of the last poll has no effect.");
        r.plain("FORCERSVSUBTYPE", FLAG, "FALSE", "Whether administrative reservations need a subtype.");
        r.plain(
                "NODECATCREDLIST",
                ValueType.of("label=category,category", NodeEntries::credited).words(),
                null,
                "Credentials that are charged for node time in some categories.");
        r.object(
                "NODECATRULE",
                IndexRule.ZERO,
                "A rule that tells the cause of a failure from its text; lower numbers first, then the built-in rules.",
                new Attributes()
                        .with("CATEGORY", CATEGORY, "Category of nodes whose failure text matches.")
                        .with("MATCH", ValueType.expression(), "What the text has to contain, in any case."));
    }

    private static PolicyValue credited(Token token) throws BadValueException {
        int equals = token.indexOf('=');
        if (equals <= 0) {
            throw new BadValueException("'" + token + "' has to look like label=category,category");
        }
        StringBuilder text = new StringBuilder(token.text().substring(0, equals)).append('=');
        String between = "";
        for (Token category : token.after(equals + 1).split(",")) {
            text.append(between).append(CATEGORY.item(category.text()).text());
            between = ",";
        }
        return new PolicyValue.Text(text.toString());
    }

    private static PolicyValue function(Token token) throws BadValueException {
        PriorityFunction.Reading reading = PriorityFunction.read(token.text());
        if (reading.function() == null) {
            throw new BadValueException("'" + token + "' is no priority function: "
                    + reading.problems().get(reading.problems().size() - 1));
        }
        return new PolicyValue.Text(token.text());
    }

    private static Attributes attributes() {
        return new Attributes()
                .with("ACCESS", NODE_ACCESS, "Who may share the node.")
                .with("ARCH", TEXT, "Processor architecture.")
                .with("CHARGERATE", RATE, "1.0", "Price of a processor second.")
                .with(
                        "CLASSES",
                        ValueType.text("class[:count]").list("][").as("list of class[:count]"),
                        "Classes the node accepts; none for all.")
                .with("COMMENT", TEXT, "Note for people.")
                .with("ENABLEPROFILING", FLAG, "FALSE", "Whether its history is kept.")
                .with(
                        "FEATURES",
                        ValueType.text("feature").list(":").as("list of features"),
                        "Features besides those the resource manager reports.")
                .pending("FLAGS", NAMES, "Flags.")
                .with("GRES", COUNTED.list(), "Generic resources it has.")
                .with("MAXJOB", LIMIT, "INFINITY", "Most jobs at a time.")
                .with("MAXJOBPERUSER", LIMIT, "INFINITY", "Most jobs of one user at a time.")
                .with("MAXLOAD", RATE, "Load from which it takes no more work.")
                .with(
                        "MAXPE",
                        LIMIT,
                        "INFINITY",
                        "Most processor equivalents in use at a time: of each job, the largest of its shares of what the cluster has in processors, memory, swap and disk, times the processors of the cluster.")
                .with("MAXPROC", LIMIT, "INFINITY", "Most processors in use at a time.")
                .with("MAXPROCPERUSER", LIMIT, "INFINITY", "Most processors of one user at a time.")
                .with("NETWORK", ValueType.text("network").list(":").as("list of networks"), "Networks it is on.")
                .with("NODEAVAILABILITYPOLICY", AVAILABILITY, "As the parameter, for this node.")
                .with("NODEINDEX", COUNT, "Its place in the order of nodes.")
                .with("NODETYPE", TEXT, "Its type.")
                .with("OS", TEXT, "Operating system.")
                .with("PARTITION", TEXT, "Partition, when the resource manager names none.")
                .with("PRIORITY", WEIGHT, "0", "What the component PRIORITY of its priority function is.")
                .with(
                        "PRIORITYF",
                        ValueType.of("priority function", NodeEntries::function),
                        "PRIORITY + 100*PREF + 100*RSVAFFINITY",
                        "How much it is wanted for a job; quote it.")
                .with("PROCSPEED", COUNT, "Processor speed in MHz.")
                .with("RACK", COUNT, "Rack it stands in.")
                .with("RADISK", MEGABYTES, "Disk to count as available.")
                .with("RCDISK", MEGABYTES, "Disk to count as there.")
                .with("RCMEM", MEGABYTES, "Memory to count as there.")
                .with("RCPROC", COUNT, "Processors to count as there.")
                .with("RCSWAP", MEGABYTES, "Swap to count as there.")
                .with("SLOT", COUNT, "Slot in its rack.")
                .with("SPEED", ValueType.decimal(0.01, 100), "Speed relative to others.")
                .trigger()
                .repeatable("VARIABLE", VARIABLE, "A variable of the node; repeatable.");
    }
}
