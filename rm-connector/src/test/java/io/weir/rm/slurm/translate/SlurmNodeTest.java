package io.weir.rm.slurm.translate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.rm.slurm.client.GresUnits;
import io.weir.rm.slurm.client.PartitionCaps;
import io.weir.rm.slurm.client.SlurmNode;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.topics.AvroTrust;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmNodeTest {
    static {
        AvroTrust.install();
    }

    private static Optional<NodeReport> report(String fields) {
        return report(fields, ProcUnit.CORE);
    }

    private static Optional<NodeReport> report(String fields, ProcUnit unit) {
        return report(fields, unit, PartitionCaps.NONE);
    }

    private static Optional<NodeReport> report(String fields, ProcUnit unit, PartitionCaps caps) {
        try {
            return new SlurmNodeTranslation("c1", true, true)
                    .report(
                            SlurmNode.of(new ObjectMapper().readTree("{\"name\":\"n1\",\"cpus\":4," + fields + "}")),
                            0,
                            unit,
                            caps,
                            GresUnits.ONES);
        } catch (JsonProcessingException e) {
            throw new AssertionError(fields, e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "idle, '', 0, IDLE",
        "mixed, '', 2, RUNNING",
        "allocated, '', 4, BUSY",
        "idle, PLANNED, 0, IDLE",
        "idle, DRAIN, 0, DRAINED",
        "mixed, DRAIN, 2, DRAINING",
        "idle, NOT_RESPONDING, 0, UNKNOWN",
        "down, NOT_RESPONDING, 0, DOWN",
        "down, DRAIN, 0, DOWN",
        "idle, POWERED_DOWN, 0, IDLE",
        "idle, 'CLOUD+POWERED_DOWN', 0, IDLE",
        "down, POWERED_DOWN, 0, DOWN",
        "idle, 'DRAIN+POWERED_DOWN', 0, DRAINED",
        // It has less than slurm.conf says, and its jobs go on.
        "mixed, 'DRAIN+INVALID_REG', 2, DRAINING",
        "idle, 'DRAIN+INVALID_REG', 0, DRAINED",
        "unknown, 'DRAIN+INVALID_REG', 0, DRAINED",
        "down, 'INVALID_REG', 0, DOWN",
        // Neither of these has failed.
        "idle, POWERING_DOWN, 0, DRAINED",
        "down, 'DRAIN+REBOOT_ISSUED', 0, DRAINED",
        "down, POWERING_DOWN, 0, DOWN",
        // Slurm lets jobs go on to start there until the node is idle, unless it drains the node as well.
        "idle, POWER_DOWN, 0, DRAINED",
        "mixed, POWER_DOWN, 2, RUNNING",
        "mixed, 'POWER_DOWN+DRAIN', 2, DRAINING",
        "idle, REBOOT_REQUESTED, 0, DRAINED",
        "allocated, REBOOT_REQUESTED, 4, BUSY",
        "mixed, 'DRAIN+REBOOT_REQUESTED', 2, DRAINING",
        "mixed, 'NOT_RESPONDING+POWERING_UP', 2, RUNNING",
        "unknown, '', 0, UNKNOWN"
    })
    void shouldTranslateState(String state, String flag, int used, NodeState weir) {
        assertThat(report("\"state\":\"" + state + "\",\"state_flags\":[\"" + flag.replace("+", "\",\"")
                                + "\"],\"alloc_cpus\":" + used)
                        .orElseThrow()
                        .getState())
                .isEqualTo(weir);
    }

    @Test
    void shouldTellThatSlurmSwitchesOnWhatItSwitchedOff() {
        NodeReport off = report("\"state\":\"idle\",\"state_flags\":[\"POWERED_DOWN\"],\"cpu_load\":756")
                .orElseThrow();
        NodeReport starting = report("\"state\":\"mixed\",\"state_flags\":[\"NOT_RESPONDING\",\"POWERING_UP\"]")
                .orElseThrow();

        assertThat(off.getPoweredOn()).isFalse();
        assertThat(off.getSwitchedOnForJobs()).isTrue();
        assertThat(off.getLoad()).as("it was measured before").isNull();
        assertThat(starting.getPoweredOn()).isTrue();
        assertThat(starting.getReason()).isNull();
    }

    @Test
    void shouldReadNodeOfLaterVersions() {
        NodeReport node = report(
                        "\"state\":[\"IDLE\",\"DRAIN\"],\"alloc_cpus\":0,\"cpu_load\":{\"set\":true,\"number\":146},"
                                + "\"real_memory\":8000,\"active_features\":[\"b\",\"a\"],\"reason\":\"disk\"")
                .orElseThrow();

        assertThat(node.getState()).isEqualTo(NodeState.DRAINED);
        assertThat(node.getLoad()).isEqualTo(1.5);
        assertThat(node.getMemoryMb()).isEqualTo(8000);
        assertThat(node.getFeatures()).containsExactly("a", "b");
        assertThat(node.getReason()).isEqualTo("disk");
    }

    @Test
    void shouldSuspectFailingNodeAndLeaveOutFutureOnes() {
        assertThat(report("\"state\":\"idle\",\"state_flags\":[\"FAIL\"]")
                        .orElseThrow()
                        .getFailing())
                .isTrue();
        assertThat(report("\"state\":\"future\"")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'\"sockets\":1,\"cores\":2,\"threads\":2', CORE, 4, 2",
        "'\"sockets\":2,\"cores\":1,\"threads\":2', SOCKET, 4, 2",
        "'\"sockets\":1,\"cores\":4,\"threads\":1', SOCKET, 4, 4",
        "'\"sockets\":1,\"cores\":4,\"threads\":1', NODE, 4, 4",
        "'\"sockets\":1,\"cores\":4,\"threads\":1', CORE, 4, 1",
        // Of two threads a core one is configured: Slurm counts cores.
        "'\"sockets\":1,\"cores\":4,\"threads\":2', CORE, 4, 1",
        // A core is kept for the system.
        "'\"sockets\":1,\"cores\":2,\"threads\":2,\"tres\":\"cpu=2,mem=1M,billing=2\"', CORE, 2, 2",
        "'\"sockets\":1,\"cores\":2,\"threads\":2,\"effective_cpus\":2,\"tres\":\"cpu=4\"', NODE, 4, 4"
    })
    void shouldTellWhatGoesToJobsAsAWhole(String fields, ProcUnit unit, int procs, int together) {
        NodeReport report = report("\"state\":\"idle\"," + fields, unit).orElseThrow();

        assertThat(report.getProcs()).isEqualTo(procs);
        assertThat(report.getProcUnit()).isEqualTo(together);
    }

    @ParameterizedTest
    @CsvSource({
        "select/cons_tres, CR_CORE_MEMORY, CORE",
        "select/cons_tres, CR_SOCKET_MEMORY, SOCKET",
        "select/cons_res, 'CR_CPU,CR_ONE_TASK_PER_CORE', CORE",
        "select/linear, CR_MEMORY, NODE",
    })
    void shouldReadWhatTheSelectPluginGives(String type, String parameters, ProcUnit unit) {
        assertThat(ProcUnit.of("SchedulerType           = sched/backfill\nSelectType              = " + type
                        + "\nSelectTypeParameters    = " + parameters + "\nSlurmUser = root(0)\n"))
                .isEqualTo(unit);
    }

    @ParameterizedTest
    @CsvSource({
        "'SelectTypeParameters    = CR_CORE_MEMORY', COUNTED",
        "'SelectTypeParameters    = CR_CPU', UNCOUNTED",
        "'SelectTypeParameters    = CR_MEMORY,CR_ONE_TASK_PER_CORE', COUNTED",
        "'SelectTypeParameters    = NONE', UNCOUNTED",
        "'SlurmUser = memory(0)', UNKNOWN"
    })
    void shouldReadWhetherMemoryIsCounted(String line, MemoryRule rule) {
        assertThat(MemoryRule.of("SelectType              = select/cons_tres\n" + line + "\n"))
                .isEqualTo(rule);
    }

    @Test
    void shouldTellHowManyTasksAndProcessorsAPartitionGivesOfTheNode() {
        String partitions = "\"state\":\"idle\",\"partitions\":[\"batch\",\"part\",\"wide\"]";
        PartitionCaps caps = new PartitionCaps(Map.of("part", 2, "wide", 64));

        assertThat(report(partitions, ProcUnit.CORE, caps).orElseThrow().getClasses())
                .containsExactly(new NameCount("batch", 4L), new NameCount("part", 2L), new NameCount("wide", 4L));
        assertThat(report(partitions + ",\"gres\":\"gpu:2\"", ProcUnit.CORE, caps)
                        .orElseThrow()
                        .getGres())
                .containsExactly(
                        new NameCount("MaxCPUsPerNode:part", 2L),
                        new NameCount("MaxCPUsPerNode:wide", 4L),
                        new NameCount("gpu", 2L));
    }
}
