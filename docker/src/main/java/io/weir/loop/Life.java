package io.weir.loop;

import io.weir.loop.judge.Charges;
import io.weir.loop.judge.ClientJudge;
import io.weir.loop.judge.CommittedRecords;
import io.weir.loop.judge.LogReading;
import io.weir.loop.judge.NeighbourJudge;
import io.weir.loop.turn.Turns;
import io.weir.rm.simulated.LedgerReport;
import io.weir.rm.simulated.SimulatedMachine;
import io.weir.scheduler.audit.AuditReplayer;
import io.weir.scheduler.audit.AuditReport;
import io.weir.scheduler.audit.InputReader;
import io.weir.schemas.DeliveryOutcome;
import io.weir.topics.AvroCodec;
import io.weir.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * One life of a site: a troubled time in which everything is done to it that its plan says, then a quiet one in which it
 * has to find back to work, then judgement.
 */
final class Life {
    private static final long MICROS_PER_MILLI = 1_000;

    /** How long after the last trouble everything has to be in order: the longest session, transaction and back-off. */
    private static final long QUIET_MICROS = 32_000_000;

    /** In the last part of the quiet time iterations must go on. */
    private static final long LAST_MICROS = 8_000_000;

    /** A site that did all its work for so long, without a process being restarted or in the way, is taken for settled. */
    private static final long SETTLED_MICROS = 4_000_000;

    /** One life of so many sees all of the quiet time, settled or not. */
    private static final int WHOLE_LIVES = 8;

    private static final long LOOK_MICROS = 500_000;

    private static final long MOST_TURNS = 400_000;

    private final LifePlan plan;
    private final Turns turns;
    private final Trace trace;
    private final AvroCodec codec;
    private final Charges charges = new Charges();
    private final CommittedRecords committed;
    private final Site site;
    private final Deeds deeds;
    private final NeighbourJudge neighbours;
    private int replacements;

    /** Prepares a life of {@code plan}, {@code without} some protections; {@code traced} keeps the trace as text. */
    Life(LifePlan plan, Set<Protection> without, boolean traced, Lives.Shared shared) {
        this.plan = plan;
        this.turns = new Turns(new Random(plan.seed()), shared.threads(), MOST_TURNS);
        this.trace = new Trace(turns, traced);
        this.codec = shared.codec();
        this.committed = new CommittedRecords(codec, Site.NAMES, charges);
        this.site = new Site(plan, turns, trace, codec, shared.metrics(), without);
        this.deeds = new Deeds(site, turns, trace, codec);
        this.neighbours = new NeighbourJudge(
                committed, site.clusters().subList(1, site.clusters().size()), charges);
        site.log().listen(this::committed);
    }

    /** Lives it and judges it. */
    Outcome live() {
        long taken;
        try {
            site.start();
            plan.deeds().forEach(deed -> turns.at(deed.at() * MICROS_PER_MILLI, () -> deeds.enact(deed)));
            if (plan.neighbours() > 0) {
                lookAtNeighbours();
            }
            long troubled = plan.troubledMillis() * MICROS_PER_MILLI;
            turns.run(troubled);
            site.calm();
            long last = troubled + QUIET_MICROS - LAST_MICROS;
            boolean settled = false;
            while (!settled && turns.now() < last) {
                boolean wasCalm = !site.isTroubled();
                List<String> missing = run(Math.min(last, turns.now() + SETTLED_MICROS));
                settled = wasCalm && missing.isEmpty() && !committed.isAnswerDue() && plan.seed() % WHOLE_LIVES != 0;
            }
            if (!settled) {
                run(troubled + QUIET_MICROS).forEach(missing -> charges.add("liveness", missing));
            }
            judge();
        } catch (IllegalStateException e) {
            charges.add("life", String.valueOf(e.getMessage()));
        } finally {
            taken = turns.taken();
            turns.end();
        }
        return new Outcome(
                plan,
                charges.list(),
                trace.hash(),
                trace.lines(),
                committed.iteration(Site.CLUSTER),
                site.starts(),
                replacements,
                taken);
    }

    /** Goes on until {@code micros}; returns what was not done meanwhile that a site at work does. */
    private List<String> run(long micros) {
        Map<String, Long> iterations = new TreeMap<>();
        site.clusters().forEach(cluster -> iterations.put(cluster, committed.iteration(cluster)));
        Map<TopicPartition, Long> ends = site.topics().inputEnds();
        turns.run(micros);
        List<String> missing = new ArrayList<>();
        iterations.forEach((cluster, last) -> {
            if (committed.iteration(cluster) <= last) {
                missing.add("no iteration of " + cluster + " after number " + last + " though all is quiet");
            }
        });
        missing.addAll(site.untaken(ends));
        return missing;
    }

    private void lookAtNeighbours() {
        neighbours.look(turns.now(), site.isSharedTroubled());
        turns.at(turns.now() + LOOK_MICROS, this::lookAtNeighbours);
    }

    /** What has a result came at least once, and again only after a lost answer or a crash. */
    private void judgeDelivery(String id, DeliveryOutcome outcome) {
        int received = site.receiver().received(id);
        int most = site.notifierStarts() + site.receiver().unanswered(id);
        if ((outcome == DeliveryOutcome.DELIVERED && received == 0) || received > most) {
            charges.add("notifications", "id " + id + " came " + received + " times, is " + outcome);
        }
    }

    private void committed(ConsumerRecord<byte[], byte[]> record) {
        trace.committed(record);
        committed.committed(record);
    }

    private void judge() {
        for (SimulatedMachine machine : site.machines()) {
            LedgerReport report = machine.report(site.resized(machine));
            report.problems().forEach(problem -> charges.add("ledger", problem));
            replacements += committed.replacements().judge(report);
            machine.answeredCommands().stream()
                    .filter(id -> !committed.isCommand(id))
                    .forEach(id -> charges.add("ledger", "command " + id + " had an effect and was never put out"));
        }
        site.effects()
                .repeated()
                .forEach(id -> charges.add("ledger", "command " + id + " was to be carried out a second time"));
        committed.finish(site.topics().notificationsSeenTo());
        committed.deliveries().forEach(this::judgeDelivery);
        ClientJudge clients = new ClientJudge(committed, charges);
        site.clients().all().forEach(clients::judge);
        AuditReport audit = new AuditReplayer(
                        new LogReading(site.log()),
                        Site.NAMES,
                        new InputReader(Optional.of(codec)),
                        1,
                        (cluster, number, share) -> {})
                .verify();
        audit.firstDivergence().ifPresent(divergence -> charges.add("replay", divergence.toString()));
        if (audit.clusters().isEmpty()) {
            charges.add("replay", "there is nothing on " + Topics.JOURNAL.name());
        }
    }
}
