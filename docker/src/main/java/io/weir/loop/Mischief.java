package io.weir.loop;

import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import io.weir.topics.RecordSize;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Thinks up what is done to a site. Some lives have much of one thing and little of another. */
final class Mischief {
    private static final int MOST_CALLS = 80;
    private static final String CLUSTER = Site.CLUSTER;
    private static final List<String> REPEATED =
            List.of(Topics.RM_JOBS.name(), Topics.RM_NODES.name(), Topics.RM_HEARTBEATS.name(), Topics.RESULTS.name());
    private static final List<String> WRITTEN = List.of(
            Topics.RM_JOBS.name(),
            Topics.RM_NODES.name(),
            Topics.RM_HEARTBEATS.name(),
            Topics.RESULTS.name(),
            Topics.MONITORING_EVENTS.name(),
            Topics.REQUESTS.name(),
            Topics.POLICY.name(),
            Topics.PLUGIN_ANSWERS.name(),
            Topics.DELIVERY_RESULTS.name());
    private static final List<String> OBJECT_TYPES = List.of("node", "job", "rm", "rsv", "scheduler", "cluster", "x");
    private static final List<Long> STARTS =
            List.of(Long.MIN_VALUE, -1L, 946_684_805_000L, 4_102_444_800_000L, Long.MAX_VALUE);

    /** In one life of so many a cluster fails whatever is set aside. */
    private static final int STANDSTILLS = 10;

    /** In one life of so many the registry is away at times. */
    private static final int REGISTRIES = 4;

    /** One life of so many sees a flood of requests. */
    private static final int FLOODS = 6;

    /** One life of so many sees many calls of the API at once. */
    private static final int CROWDS = 8;

    /** What one principal may have under way at the API. */
    private static final int MOST_AT_ONCE = 16;

    /** One life of so many sees a record beyond all limits. */
    private static final int INFLATIONS = 25;

    private static final List<String> PRINCIPALS = List.of("admin", "operator", "user1", "user2", "mallory");
    private static final List<String> EVENTS = List.of("hot", "ask", "go", "nodedown", "nodeup", "gap");
    private static final List<Double> VALUES = List.of(20.0, 30.0, 38.0, 45.0, -1e15, 1e15, Double.NaN, 0.0);

    private final Random random;
    private final long troubledMillis;
    private final int jobs;
    private final int nodes;
    private final boolean steady;
    private final HostileTexts texts;
    private final List<Deed> deeds = new ArrayList<>();

    /** Thinks of a site with so many jobs and nodes; what a {@code steady} one shares with others meets no faults. */
    Mischief(Random random, long troubledMillis, int jobs, int nodes, boolean steady) {
        this.random = random;
        this.texts = new HostileTexts(random);
        this.troubledMillis = troubledMillis;
        this.jobs = jobs;
        this.nodes = nodes;
        this.steady = steady;
    }

    List<Deed> deeds() {
        deeds.add(new Deed.Configure(50, SitePolicies.first(random)));
        some(6, () -> new Deed.Kill(when(), who(), calls(), 100 + random.nextInt(3_000)));
        some(5, () -> new Deed.Freeze(when(), who(), calls(), 200L << random.nextInt(7)));
        some(2, () -> new Deed.StepClock(when(), who(), (random.nextInt(200) - 100) * (1L << random.nextInt(12))));
        if (!steady) {
            some(2, () -> new Deed.TakeBrokerAway(when(), 100L << random.nextInt(8)));
        }
        some(2, () -> new Deed.TakeMachineAway(when(), 500L << random.nextInt(5)));
        some(2, () -> new Deed.TroubleMachine(when(), random.nextInt(30)));
        some(4, () -> new Deed.StartConnector(when(), random.nextBoolean() ? Who.CONNECTOR_1 : Who.CONNECTOR_2));
        some(2, () -> new Deed.Compact(when(), random.nextBoolean()));
        some(3, () -> new Deed.Repeat(when(), one(REPEATED), 1 + random.nextInt(12)));
        some(8, this::ask);
        some(8, this::call);
        some(3, () -> new Deed.Configure(when(), policy()));
        some(4, this::writeIntoJob);
        some(
                6,
                () -> new Deed.Tell(
                        when(),
                        random.nextBoolean() ? one(EVENTS) : texts.word(),
                        random.nextBoolean() ? "node" : one(OBJECT_TYPES),
                        random.nextBoolean() ? node() : object(),
                        texts.word(),
                        random.nextInt(4) > 0));
        some(4, () -> new Deed.FailNode(when(), node(), 500L << random.nextInt(6)));
        some(4, () -> new Deed.Measure(when(), node(), random.nextInt(4) > 0 ? "temp" : texts.word(), one(VALUES)));
        some(5, this::answerFirings);
        if (!steady && random.nextInt(REGISTRIES) == 0) {
            loseRegistry();
        }
        if (random.nextInt(FLOODS) == 0) {
            deeds.add(flood());
        }
        if (random.nextInt(CROWDS) == 0) {
            deeds.add(crowd());
        }
        if (random.nextInt(INFLATIONS) == 0) {
            deeds.add(new Deed.Inflate(when(), RecordSize.LARGEST + random.nextInt(1 << 20)));
        }
        some(4, this::scribble);
        some(1, () -> new Deed.MeetFault(when()));
        if (random.nextInt(STANDSTILLS) == 0) {
            deeds.add(new Deed.FailIterations(when(), 100L << random.nextInt(7)));
        }
        deeds.sort(Comparator.comparingLong(Deed::at));
        return deeds;
    }

    /** Adds up to {@code most} deeds of a kind; often none. */
    private void some(int most, Supplier<Deed> kind) {
        int count = random.nextInt(3) == 0 ? 0 : random.nextInt(most + 1);
        for (int i = 0; i < count; i++) {
            deeds.add(kind.get());
        }
    }

    /** Takes the registry away, from the start or when processes start anew and need it. */
    private void loseRegistry() {
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            long from = random.nextInt(4) == 0 ? 0 : when();
            deeds.add(new Deed.TakeRegistryAway(from, 250L << random.nextInt(6)));
            for (int j = random.nextInt(4); j > 0; j--) {
                deeds.add(new Deed.Kill(from + random.nextInt(200), who(), calls(), 100 + random.nextInt(400)));
            }
        }
    }

    private Deed ask() {
        RequestKind kind = one(List.of(RequestKind.values()));
        List<NameValue> arguments = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            arguments.add(argument(kind));
        }
        String principal = one(PRINCIPALS);
        String id = principal + ":" + random.nextInt(40);
        return new Deed.Ask(when(), id, principal, kind, object(), arguments);
    }

    private Deed call() {
        List<NameValue> arguments = new ArrayList<>();
        RequestKind kind = one(List.of(RequestKind.values()));
        for (int i = random.nextInt(3); i > 0; i--) {
            arguments.add(argument(kind));
        }
        String id = random.nextInt(8) == 0 ? texts.word() : "c" + random.nextInt(30);
        return new Deed.Call(
                when(),
                id.isEmpty() ? "c" : id,
                one(PRINCIPALS),
                kind,
                object(),
                arguments,
                random.nextInt(2),
                random.nextInt(3));
    }

    /** Returns an argument, mostly one that requests of this kind have. */
    private NameValue argument(RequestKind kind) {
        return random.nextInt(3) == 0 ? texts.argument() : texts.argument(kind);
    }

    private Deed answerFirings() {
        return new Deed.AnswerFirings(
                when(),
                1 + random.nextInt(4),
                one(List.of(DeliveryOutcome.values())),
                texts.word(),
                new NameValue(
                        one(List.of("A", "B", "Var1", "temp_rsv", "x")), random.nextBoolean() ? "45" : texts.word()));
    }

    private Deed crowd() {
        return new Deed.Crowd(
                when(),
                "crowd",
                one(PRINCIPALS),
                1 + random.nextInt(MOST_AT_ONCE),
                one(List.of(RequestKind.values())),
                object(),
                random.nextBoolean() ? new NameValue("message", "m".repeat(1_000)) : texts.argument());
    }

    private Deed flood() {
        String principal = one(PRINCIPALS);
        RequestKind kind = random.nextBoolean() ? RequestKind.MODIFY_JOB : one(List.of(RequestKind.values()));
        NameValue argument = random.nextBoolean()
                ? new NameValue(
                        one(List.of("message", "variable")), "v=" + "m".repeat(one(List.of(1_000, 5_000, 60_000))))
                : texts.argument();
        return new Deed.Flood(
                when(), principal + ":flood", principal, 10 + random.nextInt(60), kind, object(), argument);
    }

    private Deed writeIntoJob() {
        @Nullable Instant startAfter = random.nextInt(3) == 0 ? Instant.ofEpochMilli(one(STARTS)) : null;
        return new Deed.WriteIntoJob(
                when(),
                job(),
                random.nextInt(4) == 0 ? null : texts.extension(),
                random.nextBoolean() ? null : random.nextInt(8) == 0 ? "\u0000".repeat(100_000) : texts.word(),
                startAfter);
    }

    private String policy() {
        return switch (random.nextInt(4)) {
            case 0 -> texts.configuration();
            case 1 -> SitePolicies.draw(random) + texts.configuration();
            default -> SitePolicies.draw(random);
        };
    }

    private String object() {
        String object = random.nextInt(4) == 0 ? texts.word() : random.nextBoolean() ? job() : node();
        return object.isEmpty() ? "-" : object;
    }

    private Deed scribble() {
        byte[] value = random.nextBoolean()
                ? texts.word().getBytes(StandardCharsets.UTF_8)
                : new byte[] {0, 0, 0, 0, (byte) random.nextInt(30), 2, 'a', 0, -1};
        String key = random.nextInt(3) == 0 ? texts.word() : CLUSTER + "/x";
        long timestamp = random.nextInt(3) == 0 ? random.nextInt(2) : 946_684_800_000L + random.nextInt(100_000);
        return new Deed.Scribble(when(), one(WRITTEN), key, new String(value, StandardCharsets.ISO_8859_1), timestamp);
    }

    private long when() {
        return random.nextInt((int) troubledMillis);
    }

    private Who who() {
        return one(steady ? Who.OWN : List.of(Who.values()));
    }

    private int calls() {
        return random.nextBoolean() ? 0 : random.nextInt(MOST_CALLS);
    }

    private String job() {
        return Integer.toString(1 + random.nextInt(jobs));
    }

    private String node() {
        return "n000" + (1 + random.nextInt(nodes));
    }

    private <T> T one(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
