package io.weir.scheduler.core.policy.language.parameter;

import static io.weir.scheduler.core.policy.language.value.ValueTypes.*;

import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry.Attributes;
import io.weir.scheduler.core.policy.language.value.BadValueException;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import io.weir.scheduler.core.policy.language.value.Token;
import io.weir.scheduler.core.policy.language.value.ValueType;

/** Objects jobs belong to: classes, partitions, QoS, users, groups, accounts. */
final class CredentialEntries {
    private static final ValueType QOS_LIST = ValueType.pattern("a QoS name, with & or ^ behind it", "[^&^\\s]+[&^]?")
            .list(":")
            .as("list of QoS names, with & or ^");

    private static final String QDEF_TEXT = "QoS of jobs that ask for none or may not use what they ask for.";

    private static final String QLIST_TEXT =
            "QoS its jobs may ask for, beside QDEF. Without a QLIST or QDEF of anybody every QoS is open; with one, "
                    + "a job may use only what its user, group, account and class list.";

    private static final String FSTARGET_TEXT =
            "Share of usage it is meant to have, in percent; 0 for no target, also where DEFAULT has one.";

    private static final ValueType JOB_FLAGS =
            ValueType.choice("PREEMPTOR", "PREEMPTEE").list();

    private static final String JOB_FLAGS_TEXT = "What is special about its jobs, as QFLAGS of a QoS says it.";

    private CredentialEntries() {}

    static void define(ParameterRegistry r) {
        r.area("Classes, partitions and credentials");
        r.object(
                "CLASSCFG",
                IndexRule.DEFAULT,
                "A class, or queue.",
                new Attributes()
                        .trigger()
                        .with("PRIORITY", WEIGHT, "0", "Priority of its jobs.")
                        .with(
                                "HOSTLIST",
                                ValueType.expression().list(":").as("list of nodes or regular expressions"),
                                "Nodes its jobs are restricted to; an expression is found anywhere in a name.")
                        .with(
                                "DEFAULT.NODESET",
                                NODE_SET,
                                "Node set that confines jobs which name none; NODESETISOPTIONAL TRUE lets them go outside.")
                        .with("DEFAULT.WCLIMIT", ValueType.interval(1), "Time limit of jobs that give none.")
                        .with("MAX.CPUTIME", ValueType.interval(1), "Most processor seconds of a job.")
                        .with("MAX.WCLIMIT", ValueType.interval(1), "Longest time limit.")
                        .with("MAX.PROC", POSITIVE, "Most processors of a job.")
                        .with("MIN.PROC", POSITIVE, "Fewest processors of a job.")
                        .with("NODEACCESSPOLICY", NODE_ACCESS, "Who may share nodes with its jobs.")
                        .with("FORCENODEACCESSPOLICY", NODE_ACCESS, "The same, whatever the job asks for.")
                        .with("RESFAILPOLICY", FAILURE_POLICY, "What happens to its jobs when a node fails.")
                        .with("QDEF", QOS_LIST, QDEF_TEXT)
                        .with("QLIST", QOS_LIST, QLIST_TEXT)
                        .with(
                                "REQ.FEATURES",
                                ValueType.text("feature").list(":").as("list of features"),
                                "Features its jobs need.")
                        .with("FSTARGET", TARGET, FSTARGET_TEXT)
                        .with("JOBFLAGS", JOB_FLAGS, JOB_FLAGS_TEXT)
                        .with("CHARGERATE", RATE, "1.0", "Factor on the price of its jobs.")
                        .pending("ENABLEPROFILING", FLAG, "FALSE", "Whether its history is kept."));
        r.object(
                "PARCFG",
                IndexRule.DEFAULT,
                "A partition.",
                new Attributes()
                        .with(
                                "NODEALLOCATIONPOLICY",
                                ALLOCATION,
                                "As the parameter, for jobs of this partition; for those that may go to several, where these agree.")
                        .with("JOBACTIONONNODEFAILURE", FAILURE_POLICY, "What happens to jobs when a node fails.")
                        .with("RESERVATIONPOLICY", RESERVATION_POLICY, "As the parameter, in this partition.")
                        .with("FLAGS", ValueType.choice("SHAREDMEM").list(":"), "SHAREDMEM for one memory image.")
                        .with("NODEACCESSPOLICY", NODE_ACCESS, "As the parameter, in this partition."));
        r.object(
                "QOSCFG",
                IndexRule.DEFAULT,
                "A quality of service.",
                new Attributes()
                        .with("PRIORITY", WEIGHT, "0", "Priority of its jobs.")
                        .with(
                                "QFLAGS",
                                ValueType.choice(
                                                "NOBF", "DEDICATED", "PREEMPTOR", "PREEMPTEE", "USERESERVED", "TRIGGER")
                                        .or(CredentialEntries::useReserved)
                                        .list(),
                                "What is special about its jobs.")
                        .with("QTWEIGHT", WEIGHT, "0", "Added to QUEUETIMEWEIGHT for its jobs.")
                        .with("XFWEIGHT", WEIGHT, "0", "Added to XFACTORWEIGHT for its jobs.")
                        .with("QTTARGET", TIME, "Queue time its jobs should stay below.")
                        .with("XFTARGET", RATE, "Expansion factor its jobs should stay below.")
                        .with("FSTARGET", TARGET, FSTARGET_TEXT)
                        .with("CHARGERATE", RATE, "1.0", "Factor on the price of its jobs."));
        r.object("USERCFG", IndexRule.DEFAULT, "A user.", credential());
        r.object("GROUPCFG", IndexRule.DEFAULT, "A group.", credential());
        r.object("ACCOUNTCFG", IndexRule.DEFAULT, "An account.", credential());
    }

    private static Attributes credential() {
        return new Attributes()
                .with("PRIORITY", WEIGHT, "0", "Priority of its jobs.")
                .with("FSTARGET", TARGET, FSTARGET_TEXT)
                .with("QDEF", QOS_LIST, QDEF_TEXT)
                .with("QLIST", QOS_LIST, QLIST_TEXT)
                .with("CDEF", NAMES, "Class of jobs that ask for none.")
                .with("ADEF", TEXT, "Account of jobs that name none.")
                .with("EMAILADDRESS", TEXT, "Where mail goes.")
                .with("MANAGERS", NAMES, "Users who are told of events as its managers.")
                .with("JOBFLAGS", JOB_FLAGS, JOB_FLAGS_TEXT)
                .with("CHARGERATE", RATE, "1.0", "Factor on the price of its jobs.")
                .pending("ENABLEPROFILING", FLAG, "FALSE", "Whether its history is kept.");
    }

    private static PolicyValue useReserved(Token token) throws BadValueException {
        String text = token.text();
        if (text.regionMatches(true, 0, "USERESERVED:", 0, 12) && text.length() > 12) {
            return new PolicyValue.Text("USERESERVED:" + text.substring(12));
        }
        throw new BadValueException("'" + text + "' names no reservation");
    }
}
