package io.weir.scheduler.query;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.service.http.HttpErrors;
import io.weir.service.http.HttpReply;

/** Counts what the API refuses by status, whoever refuses it: the gate, the rules, the listener. Thread-safe. */
final class CountedRefusals implements HttpErrors {
    private final MeterRegistry meters;

    CountedRefusals(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public HttpReply reply(int status, String message) {
        Counter.builder("weir.api.refusals")
                .description("Calls of the API that were refused, or failed, by HTTP status")
                .tag("status", Integer.toString(status))
                .register(meters)
                .increment();
        return PLAIN.reply(status, message);
    }
}
