package io.weir.loop.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.simulated.LedgerReport;
import io.weir.rm.simulated.LedgerReport.Growth;
import io.weir.schemas.CommandKind;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ReplacementJudgeTest {
    private final Charges charges = new Charges();
    private final ReplacementJudge judge = new ReplacementJudge(charges);

    @BeforeAll
    static void trustRecords() {
        AvroTrust.install();
    }

    @Test
    void shouldFindNothingWrongWithOneReplacementOfEachNode() {
        putOut("a", "n1");
        putOut("b", "n2");

        assertThat(judge.judge(ledger(growth("a", Map.of("n1", 3, "n2", 3)), growth("b", Map.of("n2", 3, "n3", 5)))))
                .isEqualTo(2);
        assertThat(charges.list()).isEmpty();
    }

    @Test
    void shouldChargeASecondReplacementOfTheSameFailure() {
        putOut("a", "n1");
        putOut("b", "n1");
        judge.judge(ledger(growth("a", Map.of("n1", 3)), growth("b", Map.of("n1", 3, "n3", 5))));

        assertThat(charges.list()).singleElement().asString().contains("node n1 of job 7 is replaced a second time");
    }

    @Test
    void shouldChargeAReplacementOfANodeThatTheJobDoesNotHave() {
        putOut("a", "n1");
        judge.judge(ledger(growth("a", Map.of("n2", 3))));

        assertThat(charges.list()).singleElement().asString().contains("which the job does not have");
    }

    @Test
    void shouldAllowAReplacementOfANodeThatTheJobHasGotAgain() {
        putOut("a", "n1");
        putOut("b", "n1");
        judge.judge(ledger(growth("a", Map.of("n1", 3)), growth("b", Map.of("n1", 9))));

        assertThat(charges.list()).isEmpty();
    }

    private void putOut(String commandId, String lost) {
        judge.command(command(commandId, CommandKind.ADD_NODES, "node n9 replaces " + lost + ", requested by ann"));
    }

    private static RmCommand command(String commandId, CommandKind kind, String reason) {
        return RmCommand.newBuilder()
                .setCluster("c1")
                .setCommandId(commandId)
                .setConnector("rm")
                .setNumber(1)
                .setIteration(1)
                .setKind(kind)
                .setJobId("7")
                .setIssuedAt(Instant.EPOCH)
                .setReason(reason)
                .build();
    }

    private static Growth growth(String commandId, Map<String, Integer> held) {
        return new Growth("7", commandId, 20, new TreeMap<>(held));
    }

    private static LedgerReport ledger(Growth... growths) {
        return new LedgerReport(List.of(), List.of(), List.of(), List.of(growths), List.of());
    }
}
