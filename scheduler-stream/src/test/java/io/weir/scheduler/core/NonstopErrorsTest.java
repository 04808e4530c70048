package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.scheduler.core.recovery.RecoveryError;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each error of the failure service (05 §B4): who gets it, and that nothing changed. */
@NullUnmarked
class NonstopErrorsTest {
    /** What requests to the failure service can change. */
    private static final Set<EntityKind> CHANGEABLE =
            EnumSet.of(EntityKind.NODE, EntityKind.JOB, EntityKind.RESERVATION, EntityKind.NONSTOP);

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
    private long clock;
    private int requests;

    /** Intake takes no allocation without a processor, so ENODENOCPU has no way to happen. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ENODENOCPU")
    @Feature({"SMD-5", "SMD-19"})
    void shouldChangeNothingThatIsRefused(RecoveryError error) {
        switch (error) {
            case EJOBID -> {
                lost();
                for (RequestKind kind : List.of(
                        RequestKind.REPLACE_JOB_NODE,
                        RequestKind.DROP_JOB_NODE,
                        RequestKind.EXTEND_JOB,
                        RequestKind.SHOW_JOB_FAILURES,
                        RequestKind.SUBSCRIBE_JOB,
                        RequestKind.UNSUBSCRIBE_JOB)) {
                    refused(error, "ann", kind, "99", argument(kind));
                }
            }
            case EPERM -> {
                lost();
                for (RequestKind kind : List.of(
                        RequestKind.REPLACE_JOB_NODE,
                        RequestKind.DROP_JOB_NODE,
                        RequestKind.EXTEND_JOB,
                        RequestKind.SHOW_JOB_FAILURES,
                        RequestKind.SUBSCRIBE_JOB,
                        RequestKind.UNSUBSCRIBE_JOB)) {
                    refused(error, "bob", kind, "17", argument(kind));
                }
                refused(error, "bob", RequestKind.DRAIN_NODES, "nodes", named("nodes", "n2"), named("reason", "disk"));
            }
            case EJOBNOTRUN -> {
                lost();
                site.submit("19", 8, 60).iterate(++clock);
                for (RequestKind kind : List.of(
                        RequestKind.REPLACE_JOB_NODE,
                        RequestKind.DROP_JOB_NODE,
                        RequestKind.EXTEND_JOB,
                        RequestKind.SUBSCRIBE_JOB)) {
                    refused(error, "ann", kind, "19", argument(kind));
                }
            }
            case ENOHOST -> {
                lost();
                refused(error, "ann", RequestKind.REPLACE_JOB_NODE, "17", named("node", "nowhere"));
                refused(error, "ann", RequestKind.DROP_JOB_NODE, "17", named("node", "nowhere"));
            }
            case ENODENOTFAIL -> {
                lost();
                refused(error, "ann", RequestKind.REPLACE_JOB_NODE, "17", named("node", "n1"));
                refused(error, "ann", RequestKind.DROP_JOB_NODE, "17", named("node", "n1"));
            }
            case ENODENOTINJOB -> {
                lost();
                refused(error, "ann", RequestKind.REPLACE_JOB_NODE, "17", named("node", "n3"));
                refused(error, "ann", RequestKind.DROP_JOB_NODE, "17", named("node", "n3"));
            }
            case EMAXSPARECOUNT -> {
                jobOnTwoNodes();
                nonstop("HotSpareCount=DEFAULT:2", "MaxSpareNodeCount=1");
                site.node("n3", 2, NodeState.IDLE).node("n4", 2, NodeState.IDLE).iterate(++clock);
                down("n2");
                ask("ann", RequestKind.REPLACE_JOB_NODE, "17", named("node", "n2"));
                site.answer("17", CommandOutcome.DONE, clock).iterate(++clock);
                site.answer("17", CommandOutcome.DONE, clock).iterate(++clock);
                String replacement = site.job("17").getAllocation().get(1).getNodeId();
                down(replacement);
                refused(error, "ann", RequestKind.REPLACE_JOB_NODE, "17", named("node", replacement));
            }
            case EREPLACELATER -> {
                awaited();
                // That a node is awaited was noted when it was asked for first.
                refused(error, "ann", RequestKind.REPLACE_JOB_NODE, "17", named("node", "n2"));
            }
            case EREPLACEPENDING -> {
                awaited();
                down("n1");
                refused(error, "ann", RequestKind.REPLACE_JOB_NODE, "17", named("node", "n1"));
            }
            case ENODEREPLACEFAIL -> {
                nonstop();
                jobOnTwoNodes();
                down("n2");
                refused(error, "ann", RequestKind.REPLACE_JOB_NODE, "17", named("node", "n2"));
            }
            case ENOINCREASETIMELIMIT -> {
                nonstop("TimeLimitExtend=2");
                jobOnTwoNodes();
                refused(error, "ann", RequestKind.EXTEND_JOB, "17", named("minutes", "1"));
            }
            case ETIMEOVERLIMIT -> {
                lost();
                refused(error, "ann", RequestKind.EXTEND_JOB, "17", named("minutes", "3"));
            }
            case EJOBUPDATE -> {
                lost();
                down("n1");
                ask("ann", RequestKind.DROP_JOB_NODE, "17", named("node", "n2"));
                site.answer("17", CommandOutcome.DONE, clock).iterate(++clock);
                refused(error, "ann", RequestKind.DROP_JOB_NODE, "17", named("node", "n1"));
                site.policy(policy("TimeLimitExtend=2")
                                .replace("FAILURESERVICE", "SCHEDCFG MODE=MONITOR\nFAILURESERVICE"))
                        .iterate(++clock);
                refused(error, "ann", RequestKind.EXTEND_JOB, "17", named("minutes", "1"));
            }
            case EUPDNODE -> {
                nonstop("UserDrainAllow=ann");
                jobOnTwoNodes();
                refused(
                        error,
                        "ann",
                        RequestKind.DRAIN_NODES,
                        "nodes",
                        named("nodes", "n2,nowhere"),
                        named("reason", "disk"));
            }
            case ECMD -> {
                nonstop("UserDrainAllow=ann", "TimeLimitExtend=2");
                jobOnTwoNodes();
                down("n2");
                for (String minutes : List.of("-1", "", "65534", "1.5", "two")) {
                    refused(error, "ann", RequestKind.EXTEND_JOB, "17", named("minutes", minutes));
                }
                refused(error, "ann", RequestKind.DRAIN_NODES, "nodes", named("nodes", "n1"), named("reason", " "));
                refused(error, "ann", RequestKind.DRAIN_NODES, "nodes", named("nodes", ","), named("reason", "disk"));
            }
            case EPORT -> {
                lost();
                for (String endpoint :
                        List.of("ftp://n1", "", "http://", "n1:7000", "http://n1:7000/" + "a".repeat(1_024))) {
                    refused(error, "ann", RequestKind.SUBSCRIBE_JOB, "17", named("endpoint", endpoint));
                }
            }
            case ESERVICE -> {
                site.policy("NODEALLOCRESFAILUREPOLICY IGNORE\n");
                jobOnTwoNodes();
                down("n2");
                for (RequestKind kind : List.of(
                        RequestKind.REPLACE_JOB_NODE,
                        RequestKind.DROP_JOB_NODE,
                        RequestKind.EXTEND_JOB,
                        RequestKind.SUBSCRIBE_JOB)) {
                    refused(error, "ann", kind, "17", argument(kind));
                }
                refused(error, "ann", RequestKind.DRAIN_NODES, "nodes", named("nodes", "n1"), named("reason", "disk"));
            }
            case ENODENOCPU -> throw new IllegalStateException("cannot happen");
        }
    }

    /** Asks, and sees that it is refused with this error, that no command is sent and that all is as it was. */
    private void refused(RecoveryError error, String who, RequestKind kind, String objectId, NameValue... arguments) {
        site.iterate(++clock);
        List<String> before = state();
        assertThat(site.lastCommands()).isEmpty();
        ask(who, kind, objectId, arguments);
        assertThat(site.lastAnswers()).as(kind + " is answered").hasSize(1);
        RequestResult answer = site.lastAnswers().get(0);
        assertThat(answer.getOutcome()).as(kind.name()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(answer.getDetails())
                .as(kind + ": " + answer.getMessage())
                .contains(new NameValue("error", error.name()));
        assertThat(site.lastCommands()).as("commands of " + kind).isEmpty();
        assertThat(site.lastNonstopEvents()).as("events of " + kind).isEmpty();
        List<String> after = state();
        after.removeAll(before);
        assertThat(after).as("what " + kind + " changed").isEmpty();
        assertThat(state()).as("what " + kind + " took away").hasSameSizeAs(before);
    }

    /** Returns all of it, but for when it was published or kept anew. */
    private List<String> state() {
        return site.snapshot().stream()
                .filter(change -> CHANGEABLE.contains(change.kind()))
                .map(change -> change.toString().replaceAll("\"(changedIn|createdAt)\": [^,}]+", ""))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** Job 17 lost n2 and has two minutes; n3 is there and too small for it. */
    private void lost() {
        nonstop("TimeLimitExtend=2");
        jobOnTwoNodes();
        site.node("n3", 1, NodeState.IDLE).iterate(++clock);
        down("n2");
    }

    /** Job 17 lost n2 and is told that n3 takes its place in an hour. */
    private void awaited() {
        nonstop();
        jobOnTwoNodes();
        site.node("n3", 2, NodeState.IDLE).submit("18", 2, 3_600).iterate(++clock);
        down("n2");
        ask("ann", RequestKind.REPLACE_JOB_NODE, "17", named("node", "n2"));
        assertThat(site.lastAnswers().get(0).getDetails()).contains(new NameValue("error", "EREPLACELATER"));
    }

    private void nonstop(String... lines) {
        site.policy(policy(lines)).iterate(clock);
    }

    private static String policy(String... lines) {
        return "NODEALLOCRESFAILUREPOLICY IGNORE\nFAILURESERVICE nonstop\n" + PolicyLine.marker("nonstop.conf", 1)
                + "\nControlAddr=control\n" + String.join("\n", lines) + "\n";
    }

    /** Job 17 of ann runs on n1 and n2, with two processors on each. */
    private void jobOnTwoNodes() {
        site.node("n1", 2, NodeState.IDLE).node("n2", 2, NodeState.IDLE);
        site.heartbeat(1, true, SchedulerFixture.EPOCH, clock);
        site.submit("17", 4, 36_000).iterate(clock);
        assertThat(site.job("17").getAllocation()).hasSize(2);
    }

    private void down(String node) {
        site.node(node, 2, NodeState.DOWN).iterate(++clock);
    }

    private void ask(String who, RequestKind kind, String objectId, NameValue... arguments) {
        site.requestBy(who, "r" + ++requests, kind, objectId, arguments).iterate(++clock);
    }

    private static NameValue[] argument(RequestKind kind) {
        return switch (kind) {
            case REPLACE_JOB_NODE, DROP_JOB_NODE -> new NameValue[] {named("node", "n2")};
            case EXTEND_JOB -> new NameValue[] {named("minutes", "1")};
            case SUBSCRIBE_JOB -> new NameValue[] {named("endpoint", "http://n1:7000/events")};
            default -> new NameValue[0];
        };
    }

    private static NameValue named(String name, String value) {
        return new NameValue(name, value);
    }
}
