package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jobs are passed over by what an earlier pass learned of them. Whatever changes afterwards (reservations and who may use
 * them, the policy, a job's quality of service, limit or priority, a node), a scheduler that knows nothing yet decides the
 * same.
 */
class PassedOverPropertyTest {
    private static final int ROUNDS = 15;
    private static final int STEPS = 30;

    private static final List<String> POLICIES = List.of(
            "RESERVATIONDEPTH 1",
            "RESERVATIONDEPTH[0] 1\nRESERVATIONQOSLIST[0] vip\nRESERVATIONDEPTH[1] 2\nRESERVATIONQOSLIST[1] plain,DEFAULT",
            "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 2",
            "SRCFG[some] HOSTLIST=n0,n1,n2 RESOURCES=PROCS:1 USERLIST=u0 PERIOD=INFINITY\n"
                    + "SRCFG[more] HOSTLIST=n1,n2,n3 RESOURCES=PROCS:2 CLASSLIST=c1 PERIOD=INFINITY\nRESERVATIONDEPTH 3",
            "BYPASSWEIGHT 1\nRESERVATIONDEPTH 1\nBACKFILLDEPTH 5",
            "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETISOPTIONAL FALSE\nNODESETLIST left,right",
            "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETLIST left,right\nQUEUETIMEWEIGHT 0\nXFACTORWEIGHT 10");

    /** Makes the plan follow nodes one by one, whatever the jobs ask for. */
    private static final String BY_NODE =
            "\nNODEALLOCATIONPOLICY PRIORITY\nNODECFG[DEFAULT] PRIORITYF='CPROCS-APROCS'\n";

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Feature({"RSV-13", "RSV-14"})
    void shouldDecideAsIfItHadNotLookedBefore(boolean byNode) {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            List<Output> plain = live(new SchedulerFixture(), byNode, seed);
            List<Output> rebuilt = live(new SchedulerFixture().rebuildingAlways(), byNode, seed);
            String which = "by node " + byNode + ", seed " + seed + ", output ";
            for (int i = 0; i < Math.min(plain.size(), rebuilt.size()); i++) {
                assertThat(plain.get(i)).as(which + i).isEqualTo(rebuilt.get(i));
            }
            assertThat(plain).as(which + "count").hasSameSizeAs(rebuilt);
        }
    }

    private static List<Output> live(SchedulerFixture weir, boolean byNode, long seed) {
        Random random = new Random(seed);
        weir.policy(policy(random, byNode));
        int nodes = 3 + random.nextInt(4);
        for (int i = 0; i < nodes; i++) {
            node(weir, i, NodeState.IDLE);
        }
        List<String> ids = new ArrayList<>();
        int requests = 0;
        for (int step = 0; step < STEPS; step++) {
            long now = 20L * step;
            for (String id : ids) {
                boolean runs = weir.knows(id) && weir.job(id).getState() == JobState.RUNNING;
                if (runs && random.nextInt(6) == 0) {
                    weir.end(id, now);
                }
            }
            for (int i = random.nextInt(step < 5 ? 8 : 3); i > 0; i--) {
                String id = "j" + (100 + ids.size());
                submit(weir, id, now, random);
                ids.add(id);
            }
            if (random.nextInt(3) == 0) {
                disturb(weir, nodes, ids, "r" + requests++, byNode, random);
            }
            weir.iterate(now);
        }
        return weir.outputs;
    }

    private static void submit(SchedulerFixture weir, String id, long now, Random random) {
        weir.submit(
                id,
                1 + random.nextInt(6),
                10 + random.nextInt(300),
                job -> job.setUser("u" + random.nextInt(3))
                        .setQos(random.nextInt(3) == 0 ? "vip" : "plain")
                        .setJobClass("c" + random.nextInt(2))
                        .setSubmitTime(SchedulerFixture.at(now)));
    }

    /** Changes one of the things on which it depends whether a waiting job can start. */
    private static void disturb(
            SchedulerFixture weir, int nodes, List<String> ids, String request, boolean byNode, Random random) {
        String job = ids.isEmpty() ? "j100" : ids.get(random.nextInt(ids.size()));
        switch (random.nextInt(8)) {
            case 0 -> weir.policy(policy(random, byNode));
            case 1 -> node(weir, random.nextInt(nodes), random.nextBoolean() ? NodeState.IDLE : NodeState.DOWN);
            case 2, 3 ->
                weir.request(
                        request,
                        RequestKind.CREATE_RESERVATION,
                        "new",
                        pairs(
                                "hosts",
                                "n" + random.nextInt(nodes),
                                "acl",
                                "USER==u" + random.nextInt(3),
                                "duration",
                                "0:05:00"));
            case 4 ->
                weir.request(
                        request,
                        RequestKind.MODIFY_RESERVATION,
                        "system." + (1 + random.nextInt(3)),
                        pairs("acl", "CLASS==c" + random.nextInt(2)));
            case 5 ->
                weir.request(request, RequestKind.RELEASE_RESERVATION, "system." + (1 + random.nextInt(3)), List.of());
            case 6 ->
                weir.request(
                        request, RequestKind.MODIFY_JOB, job, pairs("qos", random.nextBoolean() ? "vip" : "plain"));
            default -> weir.request(request, RequestKind.MODIFY_JOB, job, pairs("wclimit", "0:00:20"));
        }
    }

    private static void node(SchedulerFixture weir, int number, NodeState state) {
        weir.node(
                "n" + number,
                2 + number % 2,
                state,
                report -> report.setFeatures(List.of(number % 2 == 0 ? "left" : "right")));
    }

    private static String policy(Random random, boolean byNode) {
        return POLICIES.get(random.nextInt(POLICIES.size())) + (byNode ? BY_NODE : "") + "\nQOSCFG[vip] PRIORITY=10\n";
    }

    private static List<NameValue> pairs(String... words) {
        List<NameValue> pairs = new ArrayList<>();
        for (int i = 0; i < words.length; i += 2) {
            pairs.add(new NameValue(words[i], words[i + 1]));
        }
        return pairs;
    }
}
