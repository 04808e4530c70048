package io.weir.scheduler.core.request.form;

import static io.weir.scheduler.core.request.form.ArgumentForm.of;
import static io.weir.scheduler.core.request.form.ArgumentForm.text;
import static io.weir.scheduler.core.request.form.ArgumentForm.texts;

import io.weir.scheduler.core.priority.CredentialKind;
import io.weir.schemas.RequestKind;
import java.util.List;

/** Which arguments each kind of request has. */
public final class RequestSyntax {
    /** Begins the name of an argument that ends with the name of a metric in brackets. */
    public static final String METRIC = "gmetric[";

    private static final List<ArgumentForm> NONE = List.of();

    private static final List<ArgumentForm> JOB = List.of(
            text("qos"),
            text("wclimit", "walltime"),
            text("hostlist", "nodelist"),
            text("nodesetdelay"),
            text("resfailpolicy"),
            texts("variable"),
            texts("gevent"),
            text("message"),
            texts("trigger"),
            texts("untrigger"));

    private static final List<ArgumentForm> NODE = List.of(
            text("state"),
            text("features"),
            text("power"),
            text("partition"),
            text("os"),
            text("category"),
            text("failing"),
            texts("variable"),
            texts("message"),
            texts("gevent"),
            texts("trigger"),
            texts("untrigger"),
            texts("clear"),
            texts("delete"));

    private static final List<ArgumentForm> RESERVATION = List.of(
            texts("acl", "a"),
            text("subtype", "b"),
            text("duration", "d"),
            text("comment", "D", "description"),
            text("endtime", "e", "end"),
            text("exclusive", "E"),
            text("features", "f", "feature"),
            texts("flags", "F", "flag"),
            text("group", "g", "rsvgroup"),
            text("hostexp", "h", "hosts", "hostlist"),
            text("label", "n", "name"),
            text("owner", "o"),
            text("partition", "p"),
            text("profile", "P"),
            text("resources", "R", "task"),
            text("starttime", "s", "start"),
            texts("accountable", "S"),
            text("tasks", "t", "taskcount", "reqtaskcount"),
            texts("trigger", "T"),
            texts("variable", "V", "variables"),
            texts("jobs", "x", "joblist"),
            text("priority"),
            texts("message", "msg"));

    private static final List<ArgumentForm> RESERVATION_GROUP =
            List.of(text("group", "g", "rsvgroup"), text("message", "msg"));

    private static final List<ArgumentForm> EXPLANATION = List.of(
            text("qos"),
            text("node"),
            text("reservation"),
            of("verbose", Choice.Flag.class),
            of("policylevel", PolicyLevel.class),
            of("future", Choice.Flag.class));

    private static final List<ArgumentForm> BACKFILL = List.of(
            text("duration"),
            text("memory"),
            text("nodes"),
            text("procs"),
            text("partition"),
            text("features"),
            text("user"),
            text("group"),
            text("account"),
            text("class"),
            text("qos"));

    private static final List<ArgumentForm> SCHEDULER = List.of(
            of("action", SchedulerAction.class),
            text("at"),
            text("iteration"),
            text("count"),
            text("text"),
            text("index"),
            text("gevent"),
            of("statistics", StatisticsKind.class),
            text("level"));

    private RequestSyntax() {}

    /** Returns the arguments of a kind of request, in the order in which messages name them. */
    public static List<ArgumentForm> argumentsOf(RequestKind kind) {
        return switch (kind) {
            case CANCEL_JOB -> List.of(of("force", Choice.Force.class));
            case HOLD_JOB, RELEASE_JOB -> List.of(of("type", HoldType.class));
            case SET_JOB_PRIORITY -> List.of(text("priority"));
            case SIGNAL_JOB -> List.of(text("signal"));
            case MODIFY_JOB -> JOB;
            case MODIFY_NODE -> NODE;
            case CREATE_RESERVATION, MODIFY_RESERVATION -> RESERVATION;
            case RELEASE_RESERVATION, ENABLE_RESERVATION, REBUILD_RESERVATION -> RESERVATION_GROUP;
            case EXPLAIN_JOB -> EXPLANATION;
            case SHOW_START -> List.of(of("method", StartMethod.class));
            case SHOW_BACKFILL -> BACKFILL;
            case SHOW_PRIORITY -> List.of(text("partition"), of("form", PriorityForm.class));
            case SHOW_CREDENTIAL_STATISTICS -> List.of(of("kind", CredentialKind.class));
            case MODIFY_CONFIG -> List.of(text("setting"), of("flags", Choice.Duration.class));
            case CONTROL_SCHEDULER -> SCHEDULER;
            case REPLACE_JOB_NODE, DROP_JOB_NODE -> List.of(text("node"));
            case EXTEND_JOB -> List.of(text("minutes"));
            case DRAIN_NODES -> List.of(text("nodes"), text("reason"));
            case SUBSCRIBE_JOB, UNSUBSCRIBE_JOB -> List.of(text("endpoint"));
            case REQUEUE_JOB,
                    SUSPEND_JOB,
                    RESUME_JOB,
                    SHOW_NODE,
                    SHOW_NODE_STATISTICS,
                    SHOW_TRIGGERS,
                    SHOW_EVENTS,
                    SHOW_NONSTOP,
                    SHOW_JOB_FAILURES,
                    UNKNOWN -> NONE;
        };
    }

    /** Returns whether requests of this kind may say of a message how much it matters and until when, see {@link MessageTerms}. */
    static boolean saysOfMessages(RequestKind kind) {
        return kind == RequestKind.MODIFY_NODE;
    }

    /** Returns whether requests of this kind may set metrics, by the names {@code gmetric[NAME]}. */
    public static boolean setsMetrics(RequestKind kind) {
        return kind == RequestKind.MODIFY_JOB || kind == RequestKind.MODIFY_NODE;
    }
}
