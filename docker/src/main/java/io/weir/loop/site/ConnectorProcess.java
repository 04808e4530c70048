package io.weir.loop.site;

import io.weir.loop.log.SimulatedLog;
import io.weir.loop.turn.SimulatedProcess;
import io.weir.loop.turn.Turns;
import io.weir.rm.runtime.Backoff;
import io.weir.rm.runtime.ConnectorRunner;
import io.weir.rm.runtime.LogConnections;
import io.weir.rm.runtime.RunnerClock;
import io.weir.rm.runtime.RunnerConfig;
import io.weir.rm.runtime.RunnerListener;
import io.weir.rm.runtime.command.CommandFeed;
import io.weir.rm.runtime.command.KafkaCommandFeed;
import io.weir.rm.runtime.fact.FactLog;
import io.weir.rm.runtime.fact.KafkaFactLog;
import io.weir.rm.spi.ResourceManager;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/** A connector: the real runner, on the simulated log and in virtual time. */
public final class ConnectorProcess {
    /** The one connector of a cluster. */
    public static final String CONNECTOR = "rm";

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(2);
    private static final Backoff RETRY = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(4));
    private static final Map<String, Object> CLIENTS =
            Map.of("delivery.timeout.ms", 8_000, "max.block.ms", 8_000, "default.api.timeout.ms", 8_000);

    private final SimulatedLog log;
    private final Turns turns;
    private final SimulatedProcess process;
    private final AvroCodec codec;
    private final TopicNames names;
    private final String cluster;
    private final UnaryOperator<CommandFeed> feeds;

    /** Creates a connector of {@code cluster}; {@code feeds} may come between it and its commands. */
    public ConnectorProcess(
            SimulatedLog log,
            Turns turns,
            SimulatedProcess process,
            AvroCodec codec,
            TopicNames names,
            String cluster,
            UnaryOperator<CommandFeed> feeds) {
        this.log = log;
        this.turns = turns;
        this.process = process;
        this.codec = codec;
        this.names = names;
        this.cluster = cluster;
        this.feeds = feeds;
    }

    /** Runs until another takes over, and returns how it ended. */
    public ConnectorRunner.Ending run(ResourceManager rm) {
        RunnerConfig config = new RunnerConfig(cluster, CONNECTOR, POLL_INTERVAL, RETRY);
        return new ConnectorRunner(config, rm, new Connections(), RunnerListener.NONE, new VirtualClock()).run();
    }

    private final class Connections implements LogConnections {
        @Override
        public FactLog openFacts(boolean together) {
            return new KafkaFactLog(
                    log.producer(process, KafkaFactLog.settings(CLIENTS, cluster, together)), codec, names, cluster);
        }

        @Override
        public CommandFeed openFeed(boolean iterations) {
            return feeds.apply(new KafkaCommandFeed(
                    log.consumer(process, KafkaCommandFeed.settings(CLIENTS, names, cluster, CONNECTOR)),
                    log.admin(process),
                    codec,
                    names,
                    cluster,
                    CONNECTOR,
                    null,
                    iterations,
                    turns::nanos));
        }
    }

    private final class VirtualClock implements RunnerClock {
        @Override
        public long nanos() {
            return turns.nanos();
        }

        @Override
        public void pause(Duration pause, CountDownLatch stopping) {
            if (stopping.getCount() > 0) {
                turns.sleep(pause);
            }
        }
    }
}
