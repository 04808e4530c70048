package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.PlainScheduler.Block;
import io.weir.scheduler.core.PlainScheduler.Machine;
import io.weir.scheduler.core.PlainScheduler.Pass;
import io.weir.scheduler.core.PlainScheduler.Place;
import io.weir.scheduler.core.PlainScheduler.Sets;
import io.weir.scheduler.core.PlainScheduler.Tasks;
import io.weir.scheduler.core.PlainScheduler.Work;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.ReservationType;
import io.weir.schemas.TaskRequirement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Random lives of small clusters of unlike nodes: the jobs that start, the nodes they get and the times reserved for others
 * are what a {@link PlainScheduler} works out. Jobs of one or two requirements, which may have nodes of their own and lie
 * apart, alone on their nodes or not, node sets, reservations with and without users, depths from none to unlimited. A failure names
 * its seed. {@code -Dweir.plain.lives=2000} lives so many.
 */
class PlainSchedulerPropertyTest {
    private static final int LIVES = Integer.getInteger("weir.plain.lives", 100);
    private static final int STEPS = 25;

    private Random random = new Random();

    @Test
    @Feature({"RSV-3", "RSV-7", "RSV-10", "RSV-11", "SET-9", "SET-12", "SET-13"})
    void shouldDecideLikeAPlainScheduler() {
        for (long seed = 1; seed <= LIVES; seed++) {
            random = new Random(seed);
            live(seed);
        }
    }

    private void live(long seed) {
        SchedulerFixture weir = new SchedulerFixture();
        Sets sets = sets();
        int depth = one(List.of(0, 1, 2, 1000));
        boolean highestFirst = oneIn(2);
        PlainScheduler plain = new PlainScheduler(highestFirst, depth, sets);
        weir.policy("NODEALLOCATIONPOLICY PRIORITY\nNODEAVAILABILITYPOLICY DEDICATED\nRESERVATIONDEPTH " + depth
                + "\nNODECFG[DEFAULT] PRIORITYF='" + (highestFirst ? "" : "-") + "NODEINDEX'\n" + text(sets));
        for (int i = 2 + random.nextInt(6); i > 0; i--) {
            join(weir, plain);
        }
        Map<Work, Place> running = new LinkedHashMap<>();
        Map<Work, Long> ends = new LinkedHashMap<>();
        List<Work> queue = new ArrayList<>();
        long now = 0;
        int jobs = 0;
        for (int step = 0; step < STEPS; step++) {
            now = next(now, running, ends, plain.blocks);
            end(weir, now, running, ends);
            long instant = now;
            plain.blocks.removeIf(block -> block.to() <= instant);
            for (int i = random.nextInt(4); i > 0; i--) {
                queue.add(submit(weir, plain, "j" + (1000 + jobs++), now));
            }
            if (oneIn(6)) {
                block(weir, plain, step, now);
            }
            Pass pass = plain.pass(now, running, queue);
            weir.iterate(now);

            compare("seed " + seed + ", " + now + " s", weir, pass, queue);
            for (Work work : List.copyOf(queue)) {
                Place place = pass.started().get(work.id());
                if (place != null) {
                    queue.remove(work);
                    running.put(work, place);
                    ends.put(work, now + (oneIn(2) ? work.limit() : 1 + random.nextInt((int) work.limit())));
                }
            }
        }
    }

    private static void compare(String what, SchedulerFixture weir, Pass pass, List<Work> queue) {
        Map<String, String> expected = new TreeMap<>();
        for (Work work : queue) {
            Place place = pass.started().get(work.id());
            if (place != null) {
                expected.put(work.id(), place.text(work));
            }
        }
        Map<String, String> started = new TreeMap<>();
        for (String id : weir.started()) {
            Map<String, Long> procs = new TreeMap<>();
            for (NodeAllocation node : weir.job(id).getAllocation()) {
                procs.put(node.getNodeId(), (long) node.getProcs());
            }
            started.put(id, procs.toString());
        }
        assertThat(started).as("started, " + what).isEqualTo(expected);
        Map<String, Long> reserved = new TreeMap<>();
        weir.publishedReservations.forEach((id, status) -> {
            if (status.getType() == ReservationType.PRIORITY) {
                reserved.put(id, weir.reservedStart(id));
            }
        });
        assertThat(reserved).as("reserved, " + what).isEqualTo(pass.reserved());
    }

    private Sets sets() {
        if (oneIn(2)) {
            return new Sets(null, false, false, "", true, 0);
        }
        boolean optional = oneIn(2);
        int policy = random.nextInt(4);
        return new Sets(
                one(List.of(List.of("a", "b"), List.of("b", "a"), List.of("a", "b", "c"))),
                policy == 1,
                policy == 2,
                one(List.of("FIRSTFIT", "BESTFIT", "WORSTFIT", "MINLOSS")),
                optional,
                optional ? one(List.of(0L, 30L, 100L)) : 0);
    }

    private static String text(Sets sets) {
        List<String> list = sets.list();
        return list == null
                ? ""
                : "NODESETPOLICY " + (sets.firstOf() ? "FIRSTOF" : sets.anyOf() ? "ANYOF" : "ONEOF")
                        + "\nNODESETATTRIBUTE FEATURE\nNODESETLIST " + String.join(",", list) + "\nNODESETISOPTIONAL "
                        + sets.optional() + "\nNODESETDELAY " + sets.delay() + "\nNODESETPRIORITYTYPE "
                        + sets.priority();
    }

    private void join(SchedulerFixture weir, PlainScheduler plain) {
        TreeSet<String> features = new TreeSet<>();
        for (String feature : List.of("a", "b", "c")) {
            if (oneIn(2)) {
                features.add(feature);
            }
        }
        int index = plain.machines.size();
        Machine machine =
                new Machine("n" + index, index, 1 + random.nextInt(4), one(List.of(0L, 1000L, 2000L, 4000L)), features);
        plain.machines.add(machine);
        weir.node(
                machine.id(),
                machine.procs(),
                NodeState.IDLE,
                node -> node.setMemoryMb(machine.memory()).setFeatures(List.copyOf(features)));
    }

    private Work submit(SchedulerFixture weir, PlainScheduler plain, String id, long now) {
        List<Tasks> tasks = new ArrayList<>();
        List<TaskRequirement> requirements = new ArrayList<>();
        int kinds = oneIn(4) ? 2 : 1;
        for (int i = kinds; i > 0; i--) {
            int perNode = oneIn(6) ? 1 + random.nextInt(2) : 0;
            Tasks some = new Tasks(
                    perNode > 0 ? perNode * (1 + random.nextInt(2)) : 1 + random.nextInt(oneIn(4) ? 6 : 3),
                    oneIn(3) ? 2 : 1,
                    oneIn(3) ? one(List.of(500L, 1000L)) : 0,
                    oneIn(4) ? one(List.of("a", "b")) : null,
                    perNode,
                    oneIn(8) ? some(plain) : Set.of(),
                    oneIn(8) ? some(plain) : Set.of(),
                    kinds > 1 && oneIn(3));
            tasks.add(some);
            requirements.add(TaskRequirement.newBuilder()
                    .setTasks(some.count())
                    .setProcsPerTask(some.procs())
                    .setMemoryMb(some.memory())
                    .setFeatures(some.feature() == null ? List.of() : List.of(some.feature()))
                    .setTasksPerNode(perNode > 0 ? perNode : null)
                    .setHosts(List.copyOf(some.hosts()))
                    .setExcludedHosts(List.copyOf(some.excluded()))
                    .setApart(some.apart())
                    .build());
        }
        Work work = new Work(id, one(List.of("ann", "bob")), tasks, oneIn(6), 1L + random.nextInt(120));
        weir.submit(
                id,
                tasks.get(0).count(),
                work.limit(),
                job -> job.setUser(work.user())
                        .setRequirements(requirements)
                        .setProcsPerTask(tasks.get(0).procs())
                        .setSubmitTime(SchedulerFixture.at(now))
                        .setNodeAccess(work.alone() ? "SINGLEJOB" : null));
        return work;
    }

    /** Some of the nodes, one at least. */
    private Set<String> some(PlainScheduler plain) {
        TreeSet<String> some = new TreeSet<>();
        some.add(one(plain.machines).id());
        plain.machines.stream().filter(machine -> oneIn(3)).forEach(machine -> some.add(machine.id()));
        return some;
    }

    private void block(SchedulerFixture weir, PlainScheduler plain, int number, long now) {
        long from = now + random.nextInt(60);
        long to = from + 1 + random.nextInt(80);
        TreeSet<String> hosts = new TreeSet<>();
        for (Machine machine : plain.machines) {
            if (oneIn(2)) {
                hosts.add(machine.id());
            }
        }
        if (hosts.size() < 2) {
            return;
        }
        String user = oneIn(3) ? "ann" : null;
        List<NameValue> arguments = new ArrayList<>(List.of(
                new NameValue("hostexp", String.join(",", hosts)),
                new NameValue("start", "" + SchedulerFixture.at(from).getEpochSecond()),
                new NameValue("endtime", "" + SchedulerFixture.at(to).getEpochSecond())));
        if (user != null) {
            arguments.add(new NameValue("acl", "USER==" + user + "="));
        }
        weir.request("r" + number, RequestKind.CREATE_RESERVATION, "new", arguments);
        plain.blocks.add(new Block(hosts, from, to, user));
    }

    /** Returns the time of the next pass: a random one, or earlier when something begins or ends before. */
    private long next(long now, Map<Work, Place> running, Map<Work, Long> ends, List<Block> blocks) {
        TreeSet<Long> instants = new TreeSet<>();
        instants.add(now + 1 + random.nextInt(30));
        running.keySet().forEach(work -> instants.add(ends.get(work)));
        blocks.forEach(block -> {
            instants.add(block.from());
            instants.add(block.to());
        });
        return instants.higher(now);
    }

    private static void end(SchedulerFixture weir, long now, Map<Work, Place> running, Map<Work, Long> ends) {
        for (Work work : List.copyOf(running.keySet())) {
            if (ends.get(work) <= now) {
                weir.end(work.id(), ends.get(work));
                running.remove(work);
            }
        }
    }

    private boolean oneIn(int many) {
        return random.nextInt(many) == 0;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
