package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.OutputKind;
import io.weir.schemas.CommandKind;
import io.weir.schemas.MessageTally;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RmCommand;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much messages of nodes matter, and until when they stay. */
@NullUnmarked
class NodeMessagesTest {
    private static final long DAY = 86_400;

    private final SchedulerFixture weir =
            new SchedulerFixture().node("n1", 8, NodeState.IDLE).iterate(0);

    private int requests;

    @Test
    @Feature("CAT-29")
    void shouldTakeAMessageAwayAtTheInstantAtWhichItExpires() {
        weir.iterate(100);
        Instant before = wake();
        attach(100, "message:5:10:00", "fan is loud");

        assertThat(published("n1").getMessageTallies())
                .containsExactly(tally("ann", 1, 100, 100, 5, SchedulerFixture.at(700)));
        assertThat(before).isNull();
        assertThat(wake()).isEqualTo(SchedulerFixture.at(700));

        weir.iterate(699);
        assertThat(published("n1").getMessages()).containsExactly("fan is loud");

        weir.iterate(700);
        assertThat(published("n1").getMessages()).isEmpty();
        assertThat(published("n1").getMessageTallies()).isEmpty();
        assertThat(published("n1").getMarks()).isEmpty();
        assertThat(wake()).isNull();
    }

    /** Each of these nodes is a record to publish: what expires on all of them at once goes over several iterations. */
    @Test
    void shouldTakeAwayOfAThousandNodesAtATime() {
        for (int i = 0; i < 1_500; i++) {
            weir.node("m%04d".formatted(i), 8, NodeState.IDLE, report -> report.setCategory("broken"));
        }
        weir.iterate(10);
        int before = outputsOfNodes();

        weir.iterate(10 + DAY);
        assertThat(outputsOfNodes() - before).isEqualTo(1_000);
        assertThat(wake()).isEqualTo(SchedulerFixture.at(11 + DAY));
        weir.iterate(11 + DAY);
        assertThat(outputsOfNodes() - before).isEqualTo(1_500);
        assertThat(wake()).isNull();
    }

    @Test
    void shouldKeepWhatDoesNotExpireYet() {
        attach(0, "message", "stays");
        attach(1, "message:-3", "matters less");
        attach(2, "message:0:1:00:00", "goes second");
        attach(3, "message:9:30", "goes first");
        assertThat(wake()).isEqualTo(SchedulerFixture.at(33));

        weir.iterate(33);
        assertThat(published("n1").getMessages()).containsExactly("stays", "matters less", "goes second");
        assertThat(wake()).isEqualTo(SchedulerFixture.at(3602));

        weir.iterate(4000);
        assertThat(published("n1").getMessages()).containsExactly("stays", "matters less");
        assertThat(published("n1").getMessageTallies())
                .containsExactly(tally("ann", 1, 0, 0, 0, null), tally("ann", 1, 1, 1, -3, null));
    }

    /** Who says a message again says anew how much it matters and until when. */
    @Test
    void shouldGoByWhoSaysItLast() {
        attach(0, "message:5:1:00", "fan is loud");
        attach(30, "message:7:1:00", "fan is loud");
        weir.iterate(60);
        assertThat(published("n1").getMessageTallies())
                .containsExactly(tally("ann", 2, 0, 30, 7, SchedulerFixture.at(90)));

        attach(70, "message", "fan is loud");
        weir.iterate(90);
        assertThat(published("n1").getMessageTallies()).containsExactly(tally("ann", 3, 0, 70, 0, null));
        assertThat(wake()).isNull();
    }

    /** An operator's end for a message does not end what the resource manager says: its next complete poll tells. */
    @Test
    void shouldLetTheResourceManagerGoOnSayingIt() {
        Consumer<NodeReport.Builder> loud = report -> report.setMessages(List.of("fan is loud"));
        weir.node("n1", 8, NodeState.IDLE, loud).iterate(10);
        attach(20, "message:5:1:00", "fan is loud");

        weir.iterate(80);
        assertThat(published("n1").getMessages()).isEmpty();
        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.FULL_POLL);

        weir.node("n1", 8, NodeState.IDLE, loud).iterate(90);
        assertThat(published("n1").getMessages()).containsExactly("fan is loud");
        assertThat(published("n1").getMessageTallies()).containsExactly(tally("rm", 1, 80, 80, 0, null));
    }

    /** What the scheduler says of a category that there is not lasts a day, and is said again when its cause is reported anew. */
    @Test
    @Feature("CAT-28")
    void shouldSayItsOwnWarningsForADayAndAgainWhenTheNodeIsReportedAnew() {
        Consumer<NodeReport.Builder> nice = report -> report.setCategory("nice");
        weir.node("n1", 8, NodeState.IDLE, nice).iterate(50);
        assertThat(published("n1").getMessages()).singleElement().asString().contains("unknown category 'nice'");
        assertThat(published("n1").getMessageTallies())
                .containsExactly(tally("scheduler", 1, 0, 0, 0, SchedulerFixture.at(DAY)));
        assertThat(wake()).isEqualTo(SchedulerFixture.at(DAY));

        weir.node("n1", 8, NodeState.IDLE, nice).iterate(DAY - 1);
        assertThat(published("n1").getMessages()).hasSize(1);
        weir.iterate(DAY);
        assertThat(published("n1").getMessages()).isEmpty();

        weir.node("n1", 8, NodeState.IDLE, nice).iterate(DAY + 60);
        assertThat(published("n1").getMessages()).as("the same report").isEmpty();
        assertThat(warnings()).isEmpty();

        weir.node("n1", 8, NodeState.IDLE, nice.andThen(report -> report.setLoad(1.5)))
                .iterate(DAY + 120);
        assertThat(warnings()).singleElement().asString().contains("unknown category 'nice'");
        assertThat(published("n1").getMessageTallies())
                .containsExactly(tally("scheduler", 1, DAY + 60, DAY + 60, 0, SchedulerFixture.at(2 * DAY + 60)));
    }

    /** Before the first iteration there is no time; the day begins with it. */
    @Test
    void shouldSayItsFirstWarningsForADayFromTheFirstIterationOn() {
        SchedulerFixture fresh = new SchedulerFixture()
                .node("n1", 8, NodeState.IDLE, report -> report.setCategory("nice"))
                .iterate(1000);

        assertThat(published(fresh, "n1").getMessageTallies())
                .containsExactly(tally("scheduler", 1, 1000, 1000, 0, SchedulerFixture.at(1000 + DAY)));
    }

    @Test
    void shouldForgetTheEndsOfNodesThatAreGone() {
        weir.node("n2", 8, NodeState.IDLE).iterate(1);
        attach(2, "message:5:1:00", "fan is loud");
        assertThat(wake()).isEqualTo(SchedulerFixture.at(62));

        weir.node("n1", 8, NodeState.REMOVED).iterate(3).iterate(4);
        assertThat(wake()).isNull();
        weir.iterate(62);
        assertThat(published("n2").getMessages()).isEmpty();
    }

    /** Everything is as without a restart, before every input, wherever the ends lie. */
    @Test
    void shouldExpireAlikeAfterRestarts() {
        SchedulerFixture plain = life(new SchedulerFixture());
        SchedulerFixture restarted = life(new SchedulerFixture().rebuildingAlways());

        assertThat(restarted.outputs).isEqualTo(plain.outputs);
        assertThat(plain.outputs)
                .anyMatch(output -> output.kind() == OutputKind.NODE
                        && output.value() instanceof NodeStatus node
                        && !node.getMessageTallies().isEmpty());
    }

    private static SchedulerFixture life(SchedulerFixture cluster) {
        cluster.nodes(5, 4).iterate(0);
        for (int step = 1; step < 60; step++) {
            String node = "n" + (1 + step % 5);
            long now = step * 10L;
            if (step % 3 == 0) {
                cluster.request(
                        "r" + step,
                        RequestKind.MODIFY_NODE,
                        node,
                        List.of(new NameValue("message:" + step % 4 + ":" + (7 + step * 13 % 90), "=m" + step % 7)));
            } else if (step % 7 == 0) {
                cluster.node(node, 4, NodeState.IDLE, report -> report.setCategory("bogus"));
            } else if (step % 11 == 0) {
                cluster.node(node, 4, NodeState.REMOVED);
            }
            cluster.iterate(now);
        }
        return cluster.iterate(3 * DAY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "message:",
                "message:high",
                "message:1.5",
                "message:1000001",
                "message:-1000001",
                "message:99999999999",
                "message:5:",
                "message:5:0",
                "message:5:0:00:00",
                "message:5:-60",
                "message:5:1h",
                "message:5:1:2:3:4:5",
                "message:5:4000000000",
                "message::60"
            })
    void shouldRefuseWhatSaysNothingOfAMessage(String argument) {
        String before = published("n1").toString();
        int outputs = outputsOfNodes();
        ask(1, argument, "=fan is loud");

        assertThat(weir.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(weir.lastAnswers().get(0).getMessage())
                .contains("'" + argument + "'", "-1000000 to 1000000", "[[[DD:]HH:]MM:]SS");
        assertThat(outputsOfNodes()).isEqualTo(outputs);
        assertThat(published("n1")).hasToString(before);
        assertThat(wake()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"message:1000000", "message:-1000000", "MESSAGE:007:01", "message:0:100:00:00:00"})
    void shouldTakeWhatIsJustWithinBounds(String argument) {
        ask(1, argument, "=fan is loud");
        assertThat(weir.lastAnswers().get(0).getOutcome())
                .as(weir.lastAnswers().get(0).getMessage())
                .isEqualTo(RequestOutcome.ACCEPTED);
    }

    @Test
    void shouldRemoveAMessageByItsTextAlone() {
        attach(0, "message:5:1:00:00", "fan is loud");
        ask(1, "message:5", "-=fan is loud");
        assertThat(weir.lastAnswers().get(0).getMessage()).contains("'message:5'", "message-=TEXT");
        assertThat(published("n1").getMessages()).containsExactly("fan is loud");

        ask(2, "message", "-=fan is loud");
        assertThat(published("n1").getMessages()).isEmpty();
        assertThat(wake()).isNull();
    }

    private void attach(long now, String argument, String text) {
        ask(now, argument, "=" + text);
        assertThat(weir.lastAnswers().get(0).getOutcome())
                .as(weir.lastAnswers().get(0).getMessage())
                .isEqualTo(RequestOutcome.ACCEPTED);
    }

    private void ask(long now, String argument, String value) {
        weir.request("r" + requests++, RequestKind.MODIFY_NODE, "n1", List.of(new NameValue(argument, value)))
                .iterate(now);
    }

    private Instant wake() {
        return Objects.requireNonNull(weir.lastResult).nextWake();
    }

    private List<String> warnings() {
        return weir.lastNotifications().stream()
                .filter(notice -> notice.getEvent().equals("nodecategory"))
                .map(Notification::getText)
                .toList();
    }

    private int outputsOfNodes() {
        return (int) weir.outputs.stream()
                .filter(output -> output.kind() == OutputKind.NODE)
                .count();
    }

    private NodeStatus published(String node) {
        return published(weir, node);
    }

    private static NodeStatus published(SchedulerFixture cluster, String node) {
        return cluster.outputs.stream()
                .filter(output ->
                        output.kind() == OutputKind.NODE && output.key().equals("c/" + node))
                .map(output -> (NodeStatus) output.value())
                .filter(Objects::nonNull)
                .reduce((before, after) -> after)
                .orElseThrow();
    }

    private static MessageTally tally(String source, long count, long first, long last, int priority, Instant expires) {
        return new MessageTally(
                source, count, SchedulerFixture.at(first), SchedulerFixture.at(last), priority, expires);
    }
}
