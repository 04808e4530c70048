package io.weir.loop.site;

import io.weir.loop.turn.SimulatedProcess;
import io.weir.loop.turn.Turns;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.Poll;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmCapabilities;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeReport;
import io.weir.schemas.RmCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A resource manager at its worst, within what the SPI allows: it takes its time, is away, refuses, loses answers, and
 * passes on whatever users write into their jobs.
 */
public final class UnreliableMachine implements ResourceManager {
    private static final int CALL_MICROS = 20_000;
    private static final int SLOW_MICROS = 3_000_000;

    private final ResourceManager machine;
    private final SimulatedProcess process;
    private final Turns turns;
    private final Random random;
    private final Effects effects;
    private final Mood mood;

    /** How bad it is at the moment. */
    public interface Mood {
        /** Says whether nobody is there. */
        boolean isAway();

        /** Returns how many calls of a hundred go wrong. */
        int trouble();

        /** Returns what the user of {@code job} wrote into it. */
        JobReport touched(JobReport job);

        /** Returns {@code node} as it is at the moment. */
        default NodeReport touched(NodeReport node) {
            return node;
        }
    }

    /** Puts {@code mood} between {@code machine} and a connector that runs in {@code process}; {@code effects} are the machine's. */
    public UnreliableMachine(
            ResourceManager machine, SimulatedProcess process, Turns turns, Random random, Effects effects, Mood mood) {
        this.machine = machine;
        this.process = process;
        this.turns = turns;
        this.random = random;
        this.effects = effects;
        this.mood = mood;
    }

    @Override
    public RmCapabilities capabilities() {
        return machine.capabilities();
    }

    @Override
    public Instant now() {
        return machine.now();
    }

    @Override
    public Poll poll() {
        reach("poll");
        Poll poll = machine.poll();
        List<JobReport> jobs = new ArrayList<>(poll.jobs().size());
        poll.jobs().forEach(job -> jobs.add(mood.touched(job)));
        List<NodeReport> nodes = new ArrayList<>(poll.nodes().size());
        poll.nodes().forEach(node -> nodes.add(mood.touched(node)));
        turns.work(CALL_MICROS);
        return new Poll(poll.rmTime(), nodes, jobs, poll.metrics(), poll.events());
    }

    @Override
    public CommandCheck lookup(RmCommand command) {
        reach("lookup");
        return machine.lookup(command);
    }

    @Override
    public Execution execute(RmCommand command) {
        long begun = turns.now();
        reach("execute");
        if (fails()) {
            return RmAnswer.refused("not today");
        }
        Execution execution = machine.execute(command);
        effects.note(command.getCommandId(), begun, turns.now());
        turns.work(CALL_MICROS);
        if (fails()) {
            throw new RetriableRmException("the answer to " + command.getCommandId() + " is lost");
        }
        return execution;
    }

    private void reach(String what) {
        process.requireAlive();
        turns.work(fails() ? SLOW_MICROS : CALL_MICROS);
        if (mood.isAway() || fails()) {
            throw new RetriableRmException(what + ": nobody answers");
        }
    }

    private boolean fails() {
        return random.nextInt(100) < mood.trouble();
    }

    @Override
    public void close() {
        machine.close();
    }
}
