package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.RmCommand;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Extensions of a time limit that others change, too: each is on top of the limit in force. */
@NullUnmarked
class NonstopLimitTest {
    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
    private long clock;
    private int requests;
    private long polls;

    /** Job 17 of ann, with a limit of an hour, lost a node and may be extended by an hour. */
    @BeforeEach
    void failed() {
        site.policy("NODEALLOCRESFAILUREPOLICY IGNORE\nFAILURESERVICE nonstop\nADMINCFG[1] USERS=root\n"
                + PolicyLine.marker("nonstop.conf", 1) + "\nControlAddr=control\nTimeLimitExtend=60\n");
        site.node("n1", 2, NodeState.IDLE).node("n2", 2, NodeState.IDLE);
        site.heartbeat(++polls, true, SchedulerFixture.EPOCH, clock);
        site.submit("17", 4, 3600).iterate(clock);
        site.node("n2", 2, NodeState.DOWN).iterate(++clock);
    }

    @Test
    @Feature("SMD-3")
    void shouldAddUpWhatIsGrantedBeforeTheResourceManagerReportsIt() {
        assertThat(extended(10)).isEqualTo(3600 + 600);
        assertThat(extended(5)).isEqualTo(3600 + 900);
        polled(4500);
        assertThat(extended(1)).isEqualTo(4500 + 60);
    }

    /** What an operator takes away after an extension stays away. */
    @Test
    @Feature("SMD-3")
    void shouldExtendTheLimitToWhichAnOperatorReducedIt() {
        extended(10);
        polled(4200);
        changed("30:00", CommandOutcome.DONE);
        polled(1800);
        assertThat(extended(5)).isEqualTo(1800 + 300);
    }

    @Test
    @Feature("SMD-3")
    void shouldExtendAReducedLimitBeforeTheResourceManagerReportsIt() {
        extended(10);
        changed("30:00", CommandOutcome.DONE);
        assertThat(extended(5)).isEqualTo(1800 + 300);
        assertThat(extended(5)).isEqualTo(1800 + 600);
    }

    @Test
    @Feature("SMD-3")
    void shouldExtendTheLimitThatTheResourceManagerWasGivenByOthers() {
        extended(10);
        polled(4200);
        polled(2400);
        assertThat(extended(5)).isEqualTo(2400 + 300);
    }

    /** A poll that began before the extension was carried out says nothing of it. */
    @Test
    @Feature("SMD-3")
    void shouldNotGoByAPollFromBeforeTheExtension() {
        extended(10);
        site.heartbeat(++polls, false, SchedulerFixture.EPOCH, clock, 0).iterate(++clock);
        assertThat(extended(5)).isEqualTo(3600 + 900);
    }

    /** A connector that says to have finished what nobody ordered has finished what was ordered, at most. */
    @Test
    @Feature("SMD-3")
    void shouldNotTakeCommandsForFinishedThatWereNotIssued() {
        site.limit("17", 3600).heartbeat(++polls, false, SchedulerFixture.EPOCH, clock, Long.MAX_VALUE);
        site.iterate(++clock);
        extended(10);
        site.limit("17", 3000).iterate(++clock);
        assertThat(extended(5)).isEqualTo(3600 + 900);
    }

    /** The resource manager would not have the operator's limit: the next poll tells what holds. */
    @Test
    @Feature("SMD-3")
    void shouldWaitForThePollAfterAChangeThatWasRefused() {
        extended(10);
        changed("30:00", CommandOutcome.REFUSED);
        ask(RequestKind.EXTEND_JOB, "ann", "minutes", "5");
        assertThat(site.lastAnswers()).isEmpty();
        assertThat(site.lastCommands()).isEmpty();

        site.limit("17", 4200).heartbeat(++polls, false, SchedulerFixture.EPOCH, clock, lastCommand());
        site.iterate(++clock);
        assertThat(limitOf(command())).isEqualTo(4200 + 300);
    }

    /** Each extension is booked, whatever limit it comes to. */
    @Test
    @Feature("SMD-3")
    void shouldBookAnExtensionToALimitThatItHadBefore() {
        assertThat(extended(10)).isEqualTo(4200);
        changed("1:00:00", CommandOutcome.DONE);
        assertThat(extended(10)).isEqualTo(4200);
        ask(RequestKind.SHOW_JOB_FAILURES, "ann");
        assertThat(detail(answer(), "balance")).isEqualTo("40");
    }

    /** Nothing is known of a change before a node failed; the report tells. */
    @Test
    @Feature("SMD-3")
    void shouldExtendALimitChangedBeforeTheFirstFailure() {
        site.submit("18", 1, 3600);
        site.node("n3", 1, NodeState.IDLE).iterate(++clock);
        site.request("w", RequestKind.MODIFY_JOB, "18", List.of(new NameValue("wclimit", "30:00")))
                .iterate(++clock);
        site.answer("18", CommandOutcome.DONE, clock).iterate(++clock);
        site.node("n3", 1, NodeState.DOWN).iterate(++clock);
        site.requestBy("ann", "e", RequestKind.EXTEND_JOB, "18", new NameValue("minutes", "1"))
                .iterate(++clock);
        assertThat(limitOf(command())).isEqualTo(1800 + 60);
    }

    /** Has the limit extended, and returns what the resource manager is ordered to give, seconds. */
    private long extended(long minutes) {
        ask(RequestKind.EXTEND_JOB, "ann", "minutes", Long.toString(minutes));
        long limit = limitOf(command());
        answered(CommandOutcome.DONE);
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        return limit;
    }

    private void changed(String limit, CommandOutcome outcome) {
        ask(RequestKind.MODIFY_JOB, "root", "wclimit", limit);
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        answered(outcome);
    }

    private void answered(CommandOutcome outcome) {
        site.answer("17", outcome, clock).iterate(++clock);
    }

    /** A poll that began after all commands were finished found this limit. */
    private void polled(long limit) {
        site.limit("17", limit).heartbeat(++polls, false, SchedulerFixture.EPOCH, clock, lastCommand());
        site.iterate(++clock);
    }

    private long lastCommand() {
        return site.job("17").getCommandNumber();
    }

    private void ask(RequestKind kind, String who, String... argument) {
        NameValue[] arguments =
                argument.length == 0 ? new NameValue[0] : new NameValue[] {new NameValue(argument[0], argument[1])};
        site.requestBy(who, "r" + ++requests, kind, "17", arguments).iterate(++clock);
    }

    private RequestResult answer() {
        assertThat(site.lastAnswers()).hasSize(1);
        return site.lastAnswers().get(0);
    }

    private RmCommand command() {
        assertThat(site.lastCommands()).hasSize(1);
        assertThat(site.lastCommands().get(0).getKind()).isEqualTo(CommandKind.MODIFY_JOB);
        return site.lastCommands().get(0);
    }

    private static long limitOf(RmCommand command) {
        return command.getArguments().stream()
                .filter(argument -> argument.getName().equals("walltime"))
                .mapToLong(argument -> Long.parseLong(argument.getValue()))
                .findFirst()
                .orElseThrow();
    }

    private static String detail(RequestResult answer, String name) {
        return answer.getDetails().stream()
                .filter(detail -> detail.getName().equals(name))
                .map(NameValue::getValue)
                .findFirst()
                .orElse(null);
    }
}
