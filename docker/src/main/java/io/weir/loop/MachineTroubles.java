package io.weir.loop;

import io.weir.loop.site.UnreliableMachine;
import io.weir.loop.turn.Turns;
import io.weir.schemas.JobReport;
import io.weir.schemas.Measurement;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The mood of the resource manager of the troubled cluster: what mischief does to it, and to its nodes and jobs. */
final class MachineTroubles implements UnreliableMachine.Mood {
    private final Turns turns;
    private final Map<String, Deed.WriteIntoJob> written = new HashMap<>();
    private final Map<String, Long> downUntil = new HashMap<>();
    private final Map<String, Map<String, Double>> measured = new HashMap<>();
    private long awayUntil;
    private int trouble;

    MachineTroubles(Turns turns) {
        this.turns = turns;
    }

    void takeAway(long millis) {
        awayUntil = Math.max(awayUntil, turns.now() + millis * 1_000);
    }

    void setTrouble(int percent) {
        trouble = percent;
    }

    void writeIntoJob(Deed.WriteIntoJob write) {
        written.put(write.job(), write);
    }

    /** Returns the jobs in whose texts users wrote, be it another size. */
    Set<String> writtenInto() {
        return Set.copyOf(written.keySet());
    }

    /** Has a node be down for a while. */
    void failNode(String node, long millis) {
        downUntil.merge(node, turns.now() + millis * 1_000, Math::max);
    }

    /** Has a node measure something from now on. */
    void measure(Deed.Measure measure) {
        measured.computeIfAbsent(measure.node(), node -> new TreeMap<>()).put(measure.metric(), measure.value());
    }

    /** Ends what is passing; one that is away comes back in its time. */
    void calm() {
        trouble = 0;
        downUntil.clear();
    }

    @Override
    public boolean isAway() {
        return turns.now() < awayUntil;
    }

    @Override
    public int trouble() {
        return trouble;
    }

    @Override
    public JobReport touched(JobReport job) {
        Deed.WriteIntoJob write = written.get(job.getJobId());
        return write == null
                ? job
                : JobReport.newBuilder(job)
                        .setExtension(write.extension())
                        .setName(write.name())
                        .setStartAfter(write.startAfter())
                        .build();
    }

    @Override
    public NodeReport touched(NodeReport node) {
        Map<String, Double> metrics = measured.getOrDefault(node.getNodeId(), Map.of());
        boolean down = turns.now() < downUntil.getOrDefault(node.getNodeId(), 0L);
        if (metrics.isEmpty() && !down) {
            return node;
        }
        NodeReport.Builder report = NodeReport.newBuilder(node)
                .setMetrics(metrics.entrySet().stream()
                        .map(metric -> new Measurement(metric.getKey(), metric.getValue()))
                        .toList());
        return (down ? report.setState(NodeState.DOWN).setReason("it failed") : report).build();
    }
}
