package io.weir.scheduler.query;

import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.image.LiveImage;
import io.weir.scheduler.query.nonstop.NonstopCallbacks;
import io.weir.scheduler.query.nonstop.NonstopEventLog;
import io.weir.scheduler.query.nonstop.NonstopEventReader;
import io.weir.schemas.JobStatus;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import java.util.Map;
import java.util.function.Function;

/**
 * The failure services of this process, and those who are told of their events.
 *
 * @param listeners serve the requests
 * @param reader follows the events
 * @param callbacks call subscribers
 */
record NonstopService(NonstopListeners listeners, NonstopEventReader reader, NonstopCallbacks callbacks)
        implements AutoCloseable {
    static NonstopService start(
            ApiSettings settings,
            Map<String, Object> consumer,
            TopicNames names,
            AvroCodec codec,
            LiveImage image,
            Function<NonstopEventLog, NonstopListeners> listeners) {
        NonstopEventLog log = new NonstopEventLog();
        NonstopCallbacks callbacks = new NonstopCallbacks(
                settings.callbacks(), (cluster, job) -> image.read(all -> hasEnded(all, cluster, job)));
        NonstopEventReader reader = new NonstopEventReader(consumer, names, codec, event -> {
            if (log.add(event)) {
                callbacks.tell(event);
            }
        });
        return new NonstopService(listeners.apply(log), reader, callbacks);
    }

    private static boolean hasEnded(ClusterImage image, String cluster, String jobId) {
        JobStatus job = ClusterImage.find(cluster, jobId, image.jobs());
        return job == null
                || switch (job.getState()) {
                    case COMPLETED, FAILED, CANCELLED, REMOVED -> true;
                    case UNKNOWN, IDLE, HOLD, STARTING, RUNNING, SUSPENDED -> false;
                };
    }

    @Override
    public void close() {
        listeners.close();
        reader.close();
        callbacks.close();
    }
}
