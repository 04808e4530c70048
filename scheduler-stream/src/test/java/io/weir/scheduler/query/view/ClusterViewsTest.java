package io.weir.scheduler.query.view;

import static io.weir.scheduler.query.image.ImageFixture.NOW;
import static io.weir.scheduler.query.image.ImageFixture.job;
import static io.weir.scheduler.query.image.ImageFixture.on;
import static io.weir.scheduler.query.image.ImageFixture.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.scheduler.Feature;
import io.weir.scheduler.query.image.ImageFixture;
import io.weir.schemas.EventTally;
import io.weir.schemas.JobState;
import io.weir.schemas.Measurement;
import io.weir.schemas.MetricSummary;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.TaskRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ClusterViewsTest {
    private final ImageFixture fixture = new ImageFixture();

    @Test
    @Feature("CMD-4")
    void shouldShowAJobWithItsReservationAndWhyItWaits() {
        fixture.put(job("17", JobState.IDLE, 600)
                .setUser("anna")
                .setRequirements(List.of(TaskRequirement.newBuilder()
                        .setTasks(2)
                        .setGres(List.of(new NameCount("matlab", 1L)))
                        .build())));
        fixture.put(reservation("17", ReservationType.PRIORITY).setJobId("17"));
        fixture.explain("17", "Procs");

        JsonNode view = view("jobs", "17");

        assertThat(view.at("/section").asText()).isEqualTo("ELIGIBLE");
        assertThat(view.at("/user").asText()).isEqualTo("anna");
        assertThat(view.at("/requirements/0/gres/matlab").asInt()).isEqualTo(1);
        assertThat(view.at("/reservations/0/durationSeconds").asLong()).isEqualTo(3600);
        assertThat(view.at("/reservations/0/active").asBoolean()).isFalse();
        assertThat(view.at("/explanation/constraint").asText()).isEqualTo("Procs");
        assertThat(view.at("/startTime").isNull()).isTrue();
    }

    @Test
    void shouldShowWhatIsDedicatedOfANode() {
        fixture.node("n0", NodeState.IDLE);
        fixture.node("n1", NodeState.IDLE);
        fixture.node("n2", NodeState.DOWN);
        fixture.put(job("1", JobState.RUNNING, 600).setStartTime(NOW).setAllocation(on("n0", 6)));
        fixture.put(job("2", JobState.RUNNING, 600).setStartTime(NOW).setAllocation(on("n1", 8)));
        fixture.put(reservation("system.1", ReservationType.ADMINISTRATIVE).setAllocation(on("n0", 8)));

        JsonNode first = view("nodes", "n0");
        JsonNode all = view("nodes", "");

        assertThat(first.at("/dedicatedProcs").asInt()).isEqualTo(6);
        assertThat(first.at("/freeProcs").asInt()).isEqualTo(2);
        assertThat(first.at("/stateSeconds").asLong()).isEqualTo(90);
        assertThat(first.at("/jobs/0/jobId").asText()).isEqualTo("1");
        assertThat(first.at("/reservations/0/reservationId").asText()).isEqualTo("system.1");
        assertThat(all.findValuesAsText("shownState")).containsExactly("RUNNING", "BUSY", "DOWN");
    }

    @Test
    void shouldNotCountTheProcessorsThatASuspendedJobGaveUp() {
        fixture.node("n0", NodeState.IDLE);
        fixture.put(job("1", JobState.SUSPENDED, 600)
                .setStartTime(NOW)
                .setAllocation(on("n0", 6))
                .setProcsReleased(true));

        JsonNode node = view("nodes", "n0");

        assertThat(node.at("/dedicatedProcs").asInt()).isZero();
        assertThat(node.at("/shownState").asText()).isEqualTo("IDLE");
        assertThat(node.at("/jobs/0/jobId").asText()).isEqualTo("1");
    }

    /** A resource manager that placed jobs by itself tells their processors alone. */
    @Test
    void shouldShowTheMemoryOfJobsWhoseTasksNobodyPlaced() {
        fixture.node("n0", NodeState.IDLE, node -> node.setMemoryMb(1000));
        TaskRequirement task = TaskRequirement.newBuilder()
                .setTasks(3)
                .setProcsPerTask(2)
                .setMemoryMb(100L)
                .build();
        fixture.put(job("1", JobState.RUNNING, 600)
                .setStartTime(NOW)
                .setRequirements(List.of(task))
                .setAllocation(on("n0", 6)));
        fixture.put(job("2", JobState.RUNNING, 600)
                .setStartTime(NOW)
                .setRequirements(List.of(task))
                .setAllocation(on("n0", 2))
                .setPlacements(List.of(new TaskPlacement("n0", 0, 1))));

        assertThat(view("nodes", "n0").at("/resources/MEM/dedicated").asLong()).isEqualTo(400);
    }

    /** Looking through all its tasks for each of its nodes takes minutes. */
    @Test
    @Timeout(90)
    void shouldListTheNodesOfAJobOnThousands() {
        int count = 20_000;
        List<NodeAllocation> allocation = new ArrayList<>();
        List<TaskPlacement> placements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String node = "n" + i;
            fixture.node(node, NodeState.IDLE, report -> report.setMemoryMb(1000));
            allocation.add(new NodeAllocation(node, 1));
            placements.add(new TaskPlacement(node, 0, 1));
        }
        TaskRequirement task =
                TaskRequirement.newBuilder().setTasks(count).setMemoryMb(100L).build();
        fixture.put(job("1", JobState.RUNNING, 600)
                .setStartTime(NOW)
                .setRequirements(List.of(task))
                .setAllocation(allocation)
                .setPlacements(placements));

        assertThat(view("nodes", ""))
                .hasSize(count)
                .allSatisfy(node ->
                        assertThat(node.at("/resources/MEM/dedicated").asLong()).isEqualTo(100));
    }

    @Test
    void shouldShowWhatTheConfigurationSaysOfANode() {
        fixture.policy("""
                FEATURENODETYPEHEADER type-
                NODECFG[DEFAULT] RACK=1 COMMENT="rented"
                NODECFG[n0] SLOT=7 SPEED=1.5 FEATURES=type-fat
                NODECFG[n1] NODETYPE=thin FEATURES=type-fat
                """);
        fixture.node("n0", NodeState.IDLE);
        fixture.node("n1", NodeState.IDLE);

        JsonNode first = view("nodes", "n0");

        assertThat(first.path("rack").asText()).isEqualTo("1");
        assertThat(first.path("slot").asText()).isEqualTo("7");
        assertThat(first.path("comment").asText()).isEqualTo("rented");
        assertThat(first.path("speed").asDouble()).isEqualTo(1.5);
        assertThat(first.path("nodeType").asText()).isEqualTo("fat");
        assertThat(view("nodes", "n1").path("nodeType").asText()).isEqualTo("thin");
    }

    @Test
    void shouldShowTheDeadlineOfAReservation() {
        fixture.put(job("1", JobState.IDLE, 600).setDeadline(NOW));
        fixture.put(reservation("1", ReservationType.DEADLINE).setJobId("1"));

        JsonNode view = view("reservations", "1");

        assertThat(view.path("category").asText()).isEqualTo("Job");
        assertThat(view.path("deadline").asText()).isEqualTo(NOW.toString());
    }

    @Test
    void shouldListRunningJobsAmongReservations() {
        fixture.put(job("1", JobState.RUNNING, 600).setStartTime(NOW).setAllocation(on("n0", 6)));
        fixture.put(job("2", JobState.IDLE, 600));
        fixture.put(reservation("system.1", ReservationType.ADMINISTRATIVE).setStart(NOW));

        JsonNode all = view("reservations", "");

        assertThat(all.findValuesAsText("reservationId")).containsExactly("1", "system.1");
        assertThat(all.findValuesAsText("category")).containsExactly("Job", "User");
        assertThat(all.get(0).path("running").asBoolean()).isTrue();
        assertThat(all.get(1).path("active").asBoolean()).isTrue();
    }

    @Test
    void shouldMarkJobsOverTheirLimitAndReservationsOverAllNodes() {
        fixture.node("n1", NodeState.IDLE);
        fixture.put(job("7", JobState.RUNNING, 60)
                .setStartTime(NOW.minusSeconds(90))
                .setAllocation(on("n1", 1)));
        fixture.put(job("8", JobState.RUNNING, 600)
                .setSubmitTime(NOW.minusSeconds(390))
                .setStartTime(NOW.minusSeconds(90))
                .setUsedCpuSeconds(5L)
                .setCpuLimitSeconds(10L)
                .setAllocation(on("n1", 1)));
        fixture.put(reservation("system.1", ReservationType.ADMINISTRATIVE).setAllocation(on("n1", 8)));

        JsonNode queue = view("queue", "");

        assertThat(queue.path("active").path(0).path("overLimit").asBoolean()).isTrue();
        assertThat(queue.path("active").path(1).path("overLimit").asBoolean()).isFalse();
        assertThat(queue.path("active").path(1).path("xfactor").asDouble()).isEqualTo(1.5);
        assertThat(queue.path("systemReservations").findValuesAsText("reservationId"))
                .containsExactly("system.1");
        assertThat(queue.path("scheduler").path("state").asText()).isEqualTo("RUNNING");
    }

    @Test
    void shouldTellTheCategoryOfANodeAndItsSource() {
        fixture.node("n0", NodeState.IDLE);
        assertThat(category("n0")).isEqualTo("Idle: nothing runs on it");

        reserve("bob.1", 10, status -> status.setAcl(List.of("USER==bob+")));
        assertThat(category("n0")).isEqualTo("UserReservation: reservation bob.1");
        reserve("own.2", 5, status -> status.setAcl(List.of("USER==ann+")).setOwner("USER:ann"));
        assertThat(category("n0")).isEqualTo("PersonalReservation: reservation own.2");

        fixture.put(job("1", JobState.RUNNING, 600).setStartTime(NOW).setAllocation(on("n0", 6)));
        assertThat(category("n0")).isEqualTo("Active: jobs run on it");

        reserve("late.3", -10, status -> status.setSubtype("EmergencyMaintenance"));
        assertThat(category("n0")).as("not active yet").isEqualTo("Active: jobs run on it");
        reserve("soft.4", 20, status -> status.setSubtype("SoftwareMaintenance"));
        reserve("hard.5", 10, status -> status.setSubtype("HardwareMaintenance"));
        assertThat(category("n0")).isEqualTo("HardwareMaintenance: subtype of reservation hard.5");

        fixture.node("n2", NodeState.DOWN);
        assertThat(category("n2")).isEqualTo("OtherFailure: down");
        fixture.node("n3", NodeState.DRAINED);
        assertThat(category("n3")).isEqualTo("Other: state DRAINED");
    }

    private void reserve(String id, long secondsAgo, Consumer<ReservationStatus.Builder> more) {
        ReservationStatus.Builder status = reservation(id, ReservationType.ADMINISTRATIVE)
                .setStart(NOW.minusSeconds(secondsAgo))
                .setAllocation(on("n0", 8));
        more.accept(status);
        fixture.put(status);
    }

    private String category(String node) {
        JsonNode found = view("nodes", node);
        return found.path("category").asText() + ": "
                + found.path("categorySource").asText();
    }

    @Test
    void shouldTellWhoSaidTheCategoryOfANodeAndWhy() {
        fixture.node("n0", NodeState.IDLE, node -> node.setCategory("Benchmark"));
        assertThat(category("n0")).isEqualTo("Benchmark: reported by the resource manager");
        fixture.node(
                "n0",
                NodeState.IDLE,
                node -> node.setCategory("Site1").setMarks(List.of(new NameValue("category", "Site1"))));
        assertThat(category("n0")).isEqualTo("Site1: set by an operator");
        reserve(
                "system.3",
                10,
                status -> status.setSubtype("HardwareMaintenance").setComment("new fans"));
        assertThat(category("n0")).isEqualTo("HardwareMaintenance: subtype of reservation system.3: new fans");
    }

    @Test
    void shouldTellTheAverageOfAMetricUntilNow() {
        fixture.node(
                "n0",
                NodeState.IDLE,
                node -> node.setMetrics(List.of(new Measurement("temp", 50.0)))
                        .setMetricSummaries(List.of(new MetricSummary(
                                "temp", 20.0, 60.0, 20.0 * 300, NOW.minusSeconds(400), NOW.minusSeconds(100)))));

        JsonNode seen = view("nodes", "n0").path("metricSummaries").path("temp");

        assertThat(seen.path("current").asDouble()).isEqualTo(50);
        assertThat(seen.path("average").asDouble()).isEqualTo((20 * 300 + 50 * 100) / 400.0);
        assertThat(seen.path("least").asDouble()).isEqualTo(20);
        assertThat(seen.path("most").asDouble()).isEqualTo(60);
    }

    @Test
    void shouldTellHowGraveAnEventIsAndInWhatSetsANodeIs() {
        fixture.policy("""
                GEVENTCFG[hitemp] ACTION=notify SEVERITY=3
                NODESETPOLICY ONEOF
                NODESETATTRIBUTE FEATURE
                NODESETLIST switch1,switch2
                """);
        fixture.node(
                "n0",
                NodeState.IDLE,
                node -> node.setFeatures(List.of("fast", "switch2"))
                        .setEvents(List.of(
                                new EventTally("hitemp", true, 2L, NOW, NOW, "hot"),
                                new EventTally("smell", true, 1L, NOW, NOW, ""))));

        JsonNode node = view("nodes", "n0");

        assertThat(node.path("events").findValuesAsText("severity")).containsExactly("3", "0");
        assertThat(node.path("nodeSets")).hasSize(1);
        assertThat(node.path("nodeSets").path(0).asText()).isEqualTo("switch2");
    }

    @Test
    void shouldWarnOfWhatDoesNotGoTogether() {
        fixture.node("n0", NodeState.IDLE, node -> node.setLoad(3.5));
        fixture.node("n1", NodeState.DRAINED);
        fixture.node("n2", NodeState.RUNNING);
        fixture.node("n3", NodeState.IDLE);
        fixture.put(job("1", JobState.RUNNING, 600).setStartTime(NOW).setAllocation(on("n1", 6)));

        assertThat(view("nodes", "n0").path("warnings").toString()).contains("node is idle but has a load of 3.50");
        assertThat(view("nodes", "n1").path("warnings").toString()).contains("node is drained but has 1 job");
        assertThat(view("nodes", "n2").path("warnings").toString()).contains("no job that Weir knows of");
        assertThat(view("nodes", "n3").path("warnings")).isEmpty();
        assertThat(view("nodes", "n1").path("plannable").asBoolean()).isFalse();
    }

    @Test
    void shouldTellWhatIsBlockedOfANodeAndUntilWhen() {
        fixture.node("n0", NodeState.IDLE);
        fixture.put(job("1", JobState.RUNNING, 600)
                .setStartTime(NOW.minusSeconds(60))
                .setAllocation(on("n0", 6)));
        fixture.put(reservation("system.1", ReservationType.ADMINISTRATIVE).setAllocation(on("n0", 8)));

        JsonNode blocked = view("nodes", "n0").path("blocked");

        assertThat(blocked.findValuesAsText("procs")).containsExactly("6", "0", "8", "0");
        assertThat(blocked.findValuesAsText("from"))
                .containsExactly(
                        NOW.toString(),
                        NOW.plusSeconds(540).toString(),
                        NOW.plusSeconds(3600).toString(),
                        NOW.plusSeconds(7200).toString());
    }

    @Test
    void shouldListToAUserOnlyItsOwn() {
        fixture.put(job("1", JobState.IDLE, 600).setUser("anna"));
        fixture.put(job("2", JobState.IDLE, 600).setUser("bob"));
        fixture.explain("1", "Procs");
        fixture.explain("2", "Procs");

        ClusterViews views =
                new ClusterViews(fixture.image, "kth", NOW, Optional.of("bob"), PriorityRanking.NONE, JobSelection.ALL);

        assertThat(views.view("jobs", "").orElseThrow().findValuesAsText("jobId"))
                .containsExactly("2");
        assertThat(views.view("explanations", "").orElseThrow().findValuesAsText("jobId"))
                .containsExactly("2");
    }

    @Test
    void shouldShowThePolicyInForce() {
        assertThat(view("policy", "").path("version").asText()).isEmpty();

        fixture.policy("MODE MONITOR\n");

        assertThat(view("policy", "").path("text").asText()).isEqualTo("MODE MONITOR\n");
    }

    @Test
    void shouldHaveNothingOfWhatIsNotThere() {
        ClusterViews views = new ClusterViews(fixture.image, "kth", NOW);

        assertThat(views.view("jobs", "99")).isEmpty();
        assertThat(views.view("charts", "")).isEmpty();
        assertThat(views.view("queue", "1")).isEmpty();
    }

    @Test
    void shouldTellSilenceOfResourceManagerByRealTime() {
        fixture.heard("slurm", NOW.minusSeconds(61));
        fixture.heard("toy", NOW.minusSeconds(60));

        JsonNode connectors = view("connectors", "");

        assertThat(connectors.findValuesAsText("connector")).containsExactly("slurm", "toy");
        assertThat(connectors.findValuesAsText("silentSeconds")).containsExactly("61", "60");
        assertThat(connectors.findValuesAsText("silent")).containsExactly("true", "false");
    }

    @Test
    void shouldCallAResourceManagerLateThatIsSilentForTwiceAsLongAsBetweenPolls() {
        fixture.heard("late", NOW.minusSeconds(22), 10L);
        fixture.heard("prompt", NOW.minusSeconds(21), 10L);
        fixture.heard("unknown", NOW.minusSeconds(59));

        JsonNode connectors = view("connectors", "");

        assertThat(connectors.findValuesAsText("connector")).containsExactly("late", "prompt", "unknown");
        assertThat(connectors.findValuesAsText("late")).containsExactly("true", "false", "false");
    }

    @Test
    void shouldListClusters() {
        fixture.node("n0", NodeState.IDLE);

        JsonNode clusters = ClusterViews.clusters(fixture.image);

        assertThat(clusters.at("/0/cluster").asText()).isEqualTo("kth");
        assertThat(clusters.at("/0/iteration").asLong()).isEqualTo(7);
        assertThat(clusters.at("/0/nodes").asInt()).isEqualTo(1);
    }

    private JsonNode view(String name, String id) {
        return new ClusterViews(fixture.image, "kth", NOW).view(name, id).orElseThrow();
    }
}
