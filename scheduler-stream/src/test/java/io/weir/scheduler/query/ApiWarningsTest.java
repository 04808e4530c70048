package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.query.image.UnreadableRecords;
import io.weir.service.Readiness;
import io.weir.service.http.HttpReply;
import org.junit.jupiter.api.Test;

class ApiWarningsTest {
    private final Readiness readiness = new Readiness();
    private final ApiWarnings warnings = new ApiWarnings(readiness, new UnreadableRecords());
    private final HttpReply reply = HttpReply.text(HttpReply.OK, "text/plain", "fine");

    @Test
    void shouldAddNothingWhileThereIsNothingToWarnOf() {
        readiness.declare("broker").met();
        readiness.declare("started");

        assertThat(warnings.addTo(reply)).isSameAs(reply);
    }

    @Test
    void shouldSayWhatStandsInTheWayOfTheScheduler() {
        readiness.declare("commits").unmet("nothing could be committed for 31 s:\n\u00e4h");

        assertThat(warnings.addTo(reply).headers())
                .containsEntry(
                        "Weir-Warning",
                        "the scheduler service is not ready, commits: nothing could be committed for 31 s: h");
    }

    @Test
    void shouldKeepTheHeaderShort() {
        readiness.declare("commits").unmet("x".repeat(10_000));

        assertThat(warnings.addTo(reply).headers().get("Weir-Warning")).hasSizeLessThan(600);
    }
}
