package io.weir.spine;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.core.instrument.step.StepTimer;
import io.weir.scheduler.SchedulerService;
import io.weir.service.Service;
import io.weir.service.ServiceContext;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.TaskId;

/**
 * The scheduler, but every so many iterations its task is found corrupted in the middle of a record: behind the outputs,
 * before the commit. The meter of iterations is where it strikes.
 */
final class CorruptedScheduler implements Service {
    private static final TaskId TASK = new TaskId(0, 0);

    private final SchedulerService scheduler = new SchedulerService();
    private final AtomicInteger iterations = new AtomicInteger();
    private final AtomicInteger corruptions = new AtomicInteger();
    private final int interval;

    CorruptedScheduler(int interval) {
        this.interval = interval;
    }

    int corruptions() {
        return corruptions.get();
    }

    @Override
    public String name() {
        return scheduler.name();
    }

    @Override
    public ConfigDef definition() {
        return scheduler.definition();
    }

    @Override
    public void start(ServiceContext context) throws Exception {
        scheduler.start(
                new ServiceContext(context.config(), context.lifecycle(), context.readiness(), new StrikingRegistry()));
    }

    private void strike() {
        if (iterations.incrementAndGet() % interval == 0) {
            corruptions.incrementAndGet();
            throw new TaskCorruptedException(Set.of(TASK));
        }
    }

    private final class StrikingRegistry extends SimpleMeterRegistry {
        @Override
        protected Timer newTimer(Meter.Id id, DistributionStatisticConfig distribution, PauseDetector pauseDetector) {
            return new StepTimer(id, clock, distribution, pauseDetector, TimeUnit.SECONDS, 60_000, false) {
                @Override
                protected void recordNonNegative(long amount, TimeUnit unit) {
                    if (id.getName().equals("weir.iteration")) {
                        strike();
                    }
                    super.recordNonNegative(amount, unit);
                }
            };
        }
    }
}
