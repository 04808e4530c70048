package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.state.CategoryRecord;
import io.weir.schemas.CategoryInterval;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens to nodes, exactly one category holds of each at any instant. */
@NullUnmarked
class NodeCategoryPropertyTest {
    private static final int NODES = 4;
    private static final int STEPS = 80;
    private static final String[] REASONS = {
        "fan", "link down", "disk full", "slurmd gone", "ldap", "elves", "ERROR power"
    };
    private static final String[] SUBTYPES = {"emain", "bench", "site3", "hwfail", "idle", "user", "pers", ""};

    /** One life told three times: as it goes, rebuilt from the stores before every input, and with every node looked at. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void shouldTileTimeAndFindTheSameWhenRebuilt(int seed) {
        SchedulerFixture plain = new SchedulerFixture();
        live(plain, seed);
        SchedulerFixture rebuilt = new SchedulerFixture().rebuildingAlways();
        live(rebuilt, seed);

        assertThat(intervals(rebuilt)).as("seed %d", seed).isEqualTo(intervals(plain));
        assertThat(rebuilt.outputs).as("seed %d", seed).isEqualTo(plain.outputs);
        assertThat(intervals(plain)).as("seed %d", seed).isNotEmpty();
        tile(plain, seed);
    }

    private static void tile(SchedulerFixture weir, int seed) {
        SortedMap<String, CategoryInterval> last = new TreeMap<>();
        for (CategoryInterval interval : intervals(weir)) {
            CategoryInterval before = last.put(interval.getNodeId(), interval);
            assertThat(interval.getFrom()).isBefore(interval.getTo());
            assertThat(interval.getSeconds())
                    .isEqualTo(interval.getTo().getEpochSecond()
                            - interval.getFrom().getEpochSecond());
            if (before != null && before.getNext() != null) {
                assertThat(interval.getFrom()).as("seed %d: %s", seed, interval).isEqualTo(before.getTo());
            }
        }
        for (Change change : weir.snapshot()) {
            if (change.kind() == EntityKind.CATEGORY && change.value() instanceof CategoryRecord present) {
                CategoryInterval before = last.get(present.getNodeId());
                if (before != null && before.getNext() != null) {
                    assertThat(Instant.ofEpochSecond(present.getSince())).isEqualTo(before.getTo());
                }
            }
        }
    }

    private static void live(SchedulerFixture weir, int seed) {
        Random random = new Random(seed);
        weir.policy(
                        "NODECFG[DEFAULT] ENABLEPROFILING=TRUE\nRESERVATIONPOLICY CURRENTHIGHEST\n"
                                + "SRCFG[night] HOSTLIST=n1 PERIOD=DAY STARTTIME=14:00:00 ENDTIME=14:05:00 DEPTH=2 USERLIST=ann")
                .nodes(NODES, 2)
                .iterate(0);
        List<String> jobs = new ArrayList<>();
        long time = 0;
        for (int step = 1; step <= STEPS; step++) {
            time += 1 + random.nextInt(40);
            String node = "n" + (1 + random.nextInt(NODES));
            switch (random.nextInt(9)) {
                case 0, 1 -> {
                    weir.submit("j" + step, 1 + random.nextInt(2 * NODES), 60 + random.nextInt(300));
                    jobs.add("j" + step);
                }
                case 2 -> {
                    String job = jobs.isEmpty() ? null : jobs.remove(0);
                    if (job != null
                            && weir.knows(job)
                            && weir.job(job).getStartTime() != null
                            && weir.job(job).getEndTime() == null) {
                        weir.end(job, time);
                    }
                }
                case 3 -> {
                    String reason = REASONS[random.nextInt(REASONS.length)];
                    weir.node(node, 2, NodeState.DOWN, report -> report.setReason(reason));
                }
                case 4 -> weir.node(node, 2 + 2 * random.nextInt(2), NodeState.IDLE);
                case 5 -> {
                    NodeState state = random.nextBoolean() ? NodeState.DRAINED : NodeState.REMOVED;
                    weir.node(node, 2, state);
                }
                case 6 -> {
                    List<NameValue> arguments = new ArrayList<>();
                    arguments.add(new NameValue("hosts", node));
                    arguments.add(new NameValue("duration", Integer.toString(30 + random.nextInt(200))));
                    arguments.add(new NameValue("start", "+" + random.nextInt(60)));
                    String subtype = SUBTYPES[random.nextInt(SUBTYPES.length)];
                    if (!subtype.isEmpty()) {
                        arguments.add(new NameValue("subtype", subtype));
                    }
                    weir.request("r" + step, RequestKind.CREATE_RESERVATION, "-", arguments);
                }
                case 7 ->
                    weir.request(
                            "c" + step,
                            RequestKind.MODIFY_NODE,
                            node,
                            List.of(new NameValue("category", random.nextBoolean() ? "site1" : "")));
                default ->
                    weir.policy("NODECFG[DEFAULT] ENABLEPROFILING=TRUE\nNODECATCREDLIST down=Idle a" + random.nextInt(2)
                            + "=Active");
            }
            weir.iterate(time);
            asIfLookedAtForTheFirstTime(weir, time);
        }
    }

    /** The category that a node is in is the one that would be found for it if nothing were known of it yet. */
    private static void asIfLookedAtForTheFirstTime(SchedulerFixture weir, long time) {
        ClusterScheduler fresh = new ClusterScheduler(SchedulerFixture.CLUSTER);
        SortedMap<String, String> held = new TreeMap<>();
        for (Change change : weir.snapshot()) {
            if (change.kind() == EntityKind.CATEGORY) {
                held.put(change.id(), ((CategoryRecord) change.value()).getCategory());
            } else if (change.kind() != EntityKind.CATEGORY_TOTALS) {
                fresh.replay(change);
            }
        }
        for (Change change : fresh.iterate(SchedulerFixture.at(time)).changes()) {
            if (change.kind() == EntityKind.CATEGORY && change.value() instanceof CategoryRecord found) {
                assertThat(held).as("at %d", time).containsEntry(found.getNodeId(), found.getCategory());
                held.remove(found.getNodeId());
            }
        }
        assertThat(held).as("at %d", time).isEmpty();
    }

    private static List<CategoryInterval> intervals(SchedulerFixture weir) {
        return weir.outputs.stream()
                .map(Output::value)
                .filter(CategoryInterval.class::isInstance)
                .map(CategoryInterval.class::cast)
                .toList();
    }
}
