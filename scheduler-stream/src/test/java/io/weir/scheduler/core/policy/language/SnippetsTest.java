package io.weir.scheduler.core.policy.language;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.nonstop.NonstopText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnippetsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "interactive-nodes",
                "priority-functions",
                "node-sets",
                "nested-sets",
                "speed-sets",
                "reservations",
                "failures",
                "events",
                "native-manager"
            })
    @Feature("CFG-1")
    void shouldLoadUnmodified(String name) throws IOException {
        SitePolicy.Reading reading = SitePolicy.read(text(name));

        assertThat(reading.problems())
                .filteredOn(problem -> problem.level() != PolicyProblem.Level.INFO)
                .as("problems, but for the file that lies beside it and is not here")
                .filteredOn(problem -> !problem.parameter().equals(NonstopText.FILE))
                .isEmpty();
        assertThat(reading.settings().verdicts()).isNotEmpty();
    }

    private static String text(String name) throws IOException {
        try (InputStream in = SnippetsTest.class.getResourceAsStream("/policies/" + name + ".cfg")) {
            assertThat(in).as(name).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
