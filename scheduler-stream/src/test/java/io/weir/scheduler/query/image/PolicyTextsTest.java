package io.weir.scheduler.query.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.PolicyVersion;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PolicyTextsTest {
    private final PolicyTexts texts = new PolicyTexts();

    @Test
    void shouldForgetWhatTheVersionInForceReplaced() {
        version("v1");
        version("v2");
        version("v3");

        texts.inForce("kth", "v2");

        assertThat(texts.keys()).containsExactly("kth/v2", "kth/v3");
        assertThat(texts.of("kth", "v2")).isPresent();
        assertThat(texts.of("kth", "v1")).isEmpty();
    }

    @Test
    void shouldHoldTheVersionInForceAndTheLatestOfManyThatNobodyAdopts() {
        version("old");
        texts.inForce("kth", "old");
        for (int i = 0; i < 10 * PolicyTexts.MOST; i++) {
            version("v" + i);
        }

        assertThat(texts.keys()).hasSize(PolicyTexts.MOST).contains("kth/old", "kth/v639");
    }

    @Test
    void shouldForgetWhatWasRemoved() {
        version("v1");
        texts.put("kth/v1", null);

        assertThat(texts.keys()).isEmpty();
    }

    /** Every call to the API asks what the text says, and reading a long one takes a quarter of a second. */
    @Test
    void shouldReadATextOnce() {
        SitePolicy.Reading first = texts.reading("kth", "BACKFILLDEPTH 3");

        assertThat(texts.reading("kth", "BACKFILLDEPTH " + 3)).isSameAs(first);
        assertThat(texts.reading("other", "BACKFILLDEPTH 3")).isNotSameAs(first);
        assertThat(texts.reading("kth", "BACKFILLDEPTH 4")).isNotSameAs(first);
    }

    private void version(String version) {
        texts.put(
                "kth/" + version,
                PolicyVersion.newBuilder()
                        .setCluster("kth")
                        .setVersion(version)
                        .setText("")
                        .setTime(Instant.EPOCH)
                        .build());
    }
}
