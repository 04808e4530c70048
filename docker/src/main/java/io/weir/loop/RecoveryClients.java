package io.weir.loop;

import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Applications and people that use the failure service when a node fails or is expected to: more than one at a time, each
 * with its own idea of what to do, and some of them again and again. Which job has the node they do not know, so they ask for
 * every job.
 */
final class RecoveryClients {
    /** One life of so many has such clients. */
    private static final int LIVES = 4;

    private static final int MOST_FAILURES = 4;
    private static final int MOST_CLIENTS = 3;
    private static final int LONGEST_DELAY = 6_000;

    /** By then the first jobs run. */
    private static final long EARLIEST = 2_000;

    private static final List<RequestKind> USUAL = List.of(
            RequestKind.REPLACE_JOB_NODE,
            RequestKind.REPLACE_JOB_NODE,
            RequestKind.REPLACE_JOB_NODE,
            RequestKind.DROP_JOB_NODE,
            RequestKind.EXTEND_JOB,
            RequestKind.SHOW_JOB_FAILURES,
            RequestKind.SUBSCRIBE_JOB,
            RequestKind.UNSUBSCRIBE_JOB);

    private final Random random;
    private final int jobs;
    private final int nodes;
    private final long troubledMillis;
    private int calls;

    private RecoveryClients(Random random, int jobs, int nodes, long troubledMillis) {
        this.random = random;
        this.jobs = jobs;
        this.nodes = nodes;
        this.troubledMillis = troubledMillis;
    }

    /** Says whether there are such clients in a life of {@code seed}; then there should be idle nodes, too. */
    static boolean areIn(long seed) {
        return Math.floorMod(seed, LIVES) == 1;
    }

    /** Returns what they do in a life of {@code seed}. */
    static List<Deed> deeds(long seed, int jobs, int nodes, long troubledMillis) {
        return new RecoveryClients(new Random(31 * seed + 7), jobs, nodes, troubledMillis).deeds();
    }

    private List<Deed> deeds() {
        List<Deed> deeds = new ArrayList<>();
        deeds.add(new Deed.Configure(60, SitePolicies.recovering(random)));
        for (int i = 1 + random.nextInt(MOST_FAILURES); i > 0; i--) {
            trouble(deeds);
        }
        return deeds;
    }

    /** Has a node fail, or be drained, and clients ask about it. */
    private void trouble(List<Deed> deeds) {
        long at = EARLIEST + random.nextInt((int) Math.max(1, troubledMillis - 2 * EARLIEST));
        String node = "n000" + (1 + random.nextInt(nodes));
        if (random.nextInt(3) > 0) {
            deeds.add(new Deed.FailNode(at, node, 4_000L << random.nextInt(3)));
        } else {
            deeds.add(call(
                    at,
                    RequestKind.DRAIN_NODES,
                    "-",
                    List.of(new NameValue("nodes", node), new NameValue("reason", "drill"))));
        }
        for (int i = 1 + random.nextInt(MOST_CLIENTS); i > 0; i--) {
            RequestKind kind = one(USUAL);
            Supplier<Long> when = () -> Math.min(troubledMillis - 1, at + random.nextInt(LONGEST_DELAY));
            for (int job = 1; job <= jobs; job++) {
                deeds.add(call(when.get(), kind, Integer.toString(job), arguments(kind, node)));
            }
        }
    }

    private List<NameValue> arguments(RequestKind kind, String node) {
        return switch (kind) {
            case REPLACE_JOB_NODE, DROP_JOB_NODE -> List.of(new NameValue("node", node));
            case EXTEND_JOB -> List.of(new NameValue("minutes", one(List.of("0", "1", "2", "30", "600"))));
            case SUBSCRIBE_JOB, UNSUBSCRIBE_JOB ->
                List.of(new NameValue("endpoint", "http://127.0.0.1:" + (1_024 + random.nextInt(3))));
            default -> List.of();
        };
    }

    /** Some ask again under the same id when they have their answer. */
    private Deed call(long at, RequestKind kind, String object, List<NameValue> arguments) {
        return new Deed.Call(
                at, "recovery-" + calls++, "admin", kind, object, arguments, random.nextInt(2), random.nextInt(2));
    }

    private <T> T one(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
