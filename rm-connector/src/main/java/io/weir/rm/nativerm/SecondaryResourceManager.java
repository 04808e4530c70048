package io.weir.rm.nativerm;

import io.weir.rm.nativerm.text.TextReader;
import io.weir.rm.spi.RetriableRmException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A resource manager that adds to what is known of another one's nodes and jobs. Its failure does not hold up the poll:
 * what it said last is used until it counts as down, then it adds nothing. One thread.
 */
final class SecondaryResourceManager {
    private static final Logger log = LoggerFactory.getLogger(SecondaryResourceManager.class);

    private final RmDefinition definition;
    private final Query query;
    private final int downAfter;
    private Map<NativeUrl, List<Query.Answer>> last = Map.of();
    private int failures;

    SecondaryResourceManager(RmDefinition definition, Query query, int downAfter) {
        this.definition = definition;
        this.query = query;
        this.downAfter = downAfter;
    }

    /** Asks anew, if that is possible. */
    void refresh() {
        try {
            Map<NativeUrl, List<Query.Answer>> answers = new LinkedHashMap<>();
            for (NativeUrl url : List.of(NativeUrl.CLUSTER_QUERY, NativeUrl.WORKLOAD_QUERY)) {
                answers.put(url, query.all(url));
            }
            last = answers;
            if (failures > 0) {
                log.info("rm={} answers again after {} failures", definition.name(), failures);
            }
            failures = 0;
        } catch (RetriableRmException e) {
            failures++;
            if (failures == downAfter) {
                last = Map.of();
                log.error("rm={} is down, nothing of it is reported any more: {}", definition.name(), e.getMessage());
            } else if (failures < downAfter) {
                log.warn("rm={} failed {} times: {}", definition.name(), failures, e.getMessage());
            }
        }
    }

    /** Adds what it knows to {@code reader}, which has read the objects. */
    void add(NativeUrl url, TextReader reader) {
        last.getOrDefault(url, List.of()).forEach(answer -> reader.readAbout(answer.source(), answer.text()));
    }
}
