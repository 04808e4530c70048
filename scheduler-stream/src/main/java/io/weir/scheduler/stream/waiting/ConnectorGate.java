package io.weir.scheduler.stream.waiting;

import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.Numbering;
import io.weir.scheduler.state.ConnectorIntake;
import io.weir.scheduler.state.HeldHeartbeat;
import io.weir.scheduler.state.TopicProgress;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.TopicCount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The gate of one connector: its epoch, how many facts of the epoch have come on each topic, and the heartbeats that
 * wait for theirs. Facts of one topic arrive in order, so a number that is jumped over is lost. One thread.
 */
public final class ConnectorGate {
    /** Topics of one connector; what its heartbeats count on others is waited for and then given up, each time anew. */
    private static final int MOST_TOPICS = 64;

    /** Heartbeats that wait at most; they are stored together. */
    private static final int MOST_HELD = 64;

    /** So many times the wait for a fact, facts are waited for that do come, but not all. */
    private static final int TRICKLE = 30;

    private final String cluster;
    private final String connector;
    private long epoch;

    /** The last heartbeat of the epoch; its HELLO before the first. */
    private Numbering heartbeats;

    private @Nullable Instant rmTime;
    private final SortedMap<String, Progress> topics = new TreeMap<>();
    private final Deque<Held> held = new ArrayDeque<>();

    public ConnectorGate(String cluster, String connector, long epoch) {
        this.cluster = cluster;
        this.connector = connector;
        this.epoch = epoch;
        heartbeats = new Numbering(0, epoch);
    }

    /** Restores a gate; {@code waiting} are its held heartbeats, decoded. */
    public ConnectorGate(ConnectorIntake stored, List<Held> waiting) {
        this(stored.getCluster(), stored.getConnector(), stored.getEpoch());
        heartbeats = new Numbering(stored.getLastHeartbeat(), Math.max(epoch, stored.getHeartbeatOffset()));
        rmTime = stored.getRmTime();
        for (TopicProgress topic : stored.getTopics()) {
            Progress progress = new Progress();
            progress.received = new Numbering(topic.getReceived(), topic.getOffset());
            progress.firstMissing = topic.getFirstMissing();
            progress.lastMissing = topic.getLastMissing();
            progress.forgiven = topic.getForgiven();
            topics.put(topic.getTopic(), progress);
        }
        held.addAll(waiting);
    }

    public ConnectorIntake toRecord() {
        List<TopicProgress> progress = new ArrayList<>(topics.size());
        topics.forEach((topic, at) -> progress.add(new TopicProgress(
                topic, at.received.last(), at.firstMissing, at.lastMissing, at.forgiven, at.received.offset())));
        List<HeldHeartbeat> waiting = held.stream().map(Held::stored).toList();
        return new ConnectorIntake(
                cluster, connector, epoch, heartbeats.last(), rmTime, progress, waiting, heartbeats.offset());
    }

    public String connector() {
        return connector;
    }

    public long epoch() {
        return epoch;
    }

    /** Opens a new epoch; what waited of the old one is gone. */
    public void open(long newEpoch) {
        epoch = newEpoch;
        heartbeats = new Numbering(0, newEpoch);
        topics.replaceAll((topic, progress) -> {
            Progress anew = new Progress();
            anew.received = new Numbering(0, progress.received.offset());
            return anew;
        });
        held.clear();
    }

    /** Says whether fact {@code sequence} of the epoch in force has come before on {@code topic}. */
    public boolean isDuplicate(String topic, long sequence) {
        return sequence <= received(topic).last();
    }

    /** Returns the highest number that a fact at {@code offset} of {@code topic} may have. */
    public long highest(String topic, long offset) {
        return received(topic).highest(offset);
    }

    /** Says whether {@code sequence} is the one that comes next on {@code topic}, at {@code offset}. */
    public boolean isNext(String topic, long sequence, long offset) {
        @Nullable Progress progress = topics.get(topic);
        return received(topic).reaches(sequence, offset)
                && (sequence == received(topic).last() + 1 || (progress != null && sequence == progress.reached() + 1));
    }

    /**
     * Counts a fact; what its number jumps over is lost.
     *
     * @param numbering its number, not above the {@link #highest}, and its offset
     * @param at when it came, by the clock that waits go by
     */
    public void receive(String topic, Numbering numbering, Instant at) {
        Progress progress = topics.computeIfAbsent(topic, name -> new Progress());
        progress.lastCome = new WallWait(at);
        if (numbering.last() > progress.reached() + 1) {
            if (progress.firstMissing == 0) {
                progress.firstMissing = progress.reached() + 1;
            }
            progress.lastMissing = numbering.last() - 1;
        }
        progress.received = numbering;
    }

    /** Returns the highest number that a heartbeat at {@code offset} may have. */
    public long highestHeartbeat(long offset) {
        return heartbeats.highest(offset);
    }

    public boolean isRepeated(Heartbeat heartbeat) {
        return heartbeat.getNumber() <= heartbeats.last();
    }

    /**
     * Has a heartbeat wait. A connector never counts fewer facts than it did: what an earlier heartbeat counted beyond this
     * one was never written, and nothing is taken as answered for because of it.
     */
    public void hold(Held heartbeat) {
        heartbeats = new Numbering(
                heartbeat.heartbeat().getNumber(), heartbeat.input().offset());
        for (TopicCount count : heartbeat.heartbeat().getCounts()) {
            @Nullable Progress progress = topics.get(count.getTopic());
            if (progress != null && progress.forgiven > count.getCount()) {
                progress.forgiven = 0;
            }
        }
        held.addLast(heartbeat);
    }

    /** Returns the heartbeat that waits longest. */
    public Optional<Held> firstHeld() {
        return Optional.ofNullable(held.peekFirst());
    }

    public void removeFirstHeld() {
        held.removeFirst();
    }

    /** Returns whether the heartbeat that waits longest has to go before another one may wait. */
    public boolean isFull() {
        return held.size() >= MOST_HELD;
    }

    public int heldCount() {
        return held.size();
    }

    /** Says whether the last fact that {@code heartbeat} counts on each topic has come. */
    public boolean isReached(Heartbeat heartbeat) {
        for (TopicCount count : heartbeat.getCounts()) {
            @Nullable Progress progress = topics.get(count.getTopic());
            if ((progress == null ? 0 : progress.reached()) < count.getCount()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Says whether what a heartbeat waits for is given up. A large cluster's facts take longer than any single one should: the
     * wait goes on while they come, so that a full poll is not answered by the next one for ever.
     *
     * @param gap how long nothing of what is missing has come
     * @param at now, by the clock that waits go by
     */
    public boolean isLost(Held waiting, Duration gap, Instant at) {
        if (isContradicted(waiting.heartbeat())) {
            return true;
        }
        if (!waiting.since().isOver(gap, at)) {
            return false;
        }
        return waiting.since().isOver(gap.multipliedBy(TRICKLE), at)
                || waiting.heartbeat().getCounts().stream().noneMatch(count -> isComing(count, gap, at));
    }

    /** Says whether a later heartbeat counts fewer facts than {@code heartbeat}: the difference was never written. */
    private boolean isContradicted(Heartbeat heartbeat) {
        return held.stream()
                .map(Held::heartbeat)
                .filter(other -> other.getNumber() > heartbeat.getNumber())
                .anyMatch(later -> countsFewer(later, heartbeat));
    }

    private static boolean countsFewer(Heartbeat later, Heartbeat earlier) {
        return earlier.getCounts().stream()
                .anyMatch(count -> later.getCounts().stream()
                        .anyMatch(other ->
                                other.getTopic().equals(count.getTopic()) && other.getCount() < count.getCount()));
    }

    private boolean isComing(TopicCount count, Duration gap, Instant at) {
        @Nullable Progress progress = topics.get(count.getTopic());
        return progress != null
                && progress.reached() < count.getCount()
                && progress.lastCome != null
                && !progress.lastCome.isOver(gap, at);
    }

    /** Says what {@code heartbeat} counts and has not come; empty when it is complete. */
    public Optional<String> missing(Heartbeat heartbeat) {
        List<String> missing = new ArrayList<>();
        for (TopicCount count : heartbeat.getCounts()) {
            @Nullable Progress progress = topics.get(count.getTopic());
            long reached = progress == null ? 0 : progress.reached();
            if (progress != null && progress.firstMissing > 0 && progress.firstMissing <= count.getCount()) {
                missing.add(count.getTopic() + " " + progress.firstMissing + ".."
                        + Math.min(progress.lastMissing, count.getCount()));
            }
            if (reached < count.getCount()) {
                missing.add(count.getTopic() + " " + (reached + 1) + ".." + count.getCount());
            }
        }
        return missing.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", missing));
    }

    /** Takes what {@code heartbeat} counts as answered for: it was given up, and a full poll was asked. */
    public void forgetMissing(Heartbeat heartbeat) {
        for (TopicCount count : heartbeat.getCounts()) {
            if (topics.size() >= MOST_TOPICS && !topics.containsKey(count.getTopic())) {
                continue;
            }
            Progress progress = topics.computeIfAbsent(count.getTopic(), name -> new Progress());
            if (progress.lastMissing > count.getCount()) {
                progress.firstMissing = Math.max(progress.firstMissing, count.getCount() + 1);
            } else {
                progress.firstMissing = 0;
                progress.lastMissing = 0;
            }
            progress.forgiven = Math.max(progress.forgiven, count.getCount());
        }
    }

    /** Notes the resource manager's time of the last complete heartbeat. */
    public void completed(Heartbeat heartbeat) {
        rmTime = heartbeat.getRmTime();
    }

    @Nullable
    public Instant rmTime() {
        return rmTime;
    }

    private Numbering received(String topic) {
        @Nullable Progress progress = topics.get(topic);
        return progress == null ? Numbering.NONE : progress.received;
    }

    /**
     * A heartbeat that waits.
     *
     * @param input the record
     * @param heartbeat the record, decoded
     * @param since since when it waits, by the clock that waits go by
     * @param stored what the store has of it; the same for as long as it waits
     */
    public record Held(Input input, Heartbeat heartbeat, WallWait since, HeldHeartbeat stored) {
        public static Held since(Instant began, Input input, Heartbeat heartbeat) {
            HeldHeartbeat stored = new HeldHeartbeat(heartbeat.getNumber(), began, WaitingInputs.store(input));
            return new Held(input, heartbeat, new WallWait(began), stored);
        }
    }

    private static final class Progress {
        private Numbering received = Numbering.NONE;
        /** Lowest lost number not yet answered for; 0 for none. */
        private long firstMissing;
        /** Highest lost number not yet answered for; 0 for none. */
        private long lastMissing;
        /** Highest number that no heartbeat waits for any more, come or not. */
        private long forgiven;
        /** Since when none has come; null when none has since the gate was restored. */
        private @Nullable WallWait lastCome;

        private long reached() {
            return Math.max(received.last(), forgiven);
        }
    }
}
