package io.weir.scheduler.query.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.policy.language.RuntimeSettings;
import io.weir.schemas.PolicyVersion;
import org.junit.jupiter.api.Test;

class PublishedPolicyTest {
    private static final RuntimeSettings ADDED = RuntimeSettings.NONE.with("DEFERTIME 0:12:00", false);
    private static final RuntimeSettings LASTING = RuntimeSettings.NONE.with("DEFERTIME 0:12:00", true);

    private final ImageFixture fixture = new ImageFixture();

    @Test
    void shouldBeInForceWithTheFirstIterationThatFollowsIt() {
        fixture.iteration(8, "old", RuntimeSettings.NONE);
        PublishedPolicy published = publish("new");

        fixture.iteration(9, "old", RuntimeSettings.NONE);
        assertThat(published.isInForce(fixture.image)).isFalse();
        fixture.iteration(10, "new", RuntimeSettings.NONE);
        assertThat(published.isInForce(fixture.image)).isTrue();
    }

    @Test
    void shouldWaitForTheEndOfWhatWasAddedToTheSameVersion() {
        fixture.iteration(8, "same", ADDED);
        PublishedPolicy published = publish("same");

        fixture.iteration(9, "same", ADDED);
        assertThat(published.isInForce(fixture.image)).isFalse();
        fixture.iteration(10, "same", RuntimeSettings.NONE);
        assertThat(published.isInForce(fixture.image)).isTrue();
    }

    @Test
    void shouldNotWaitForTheEndOfWhatOutlivesAVersion() {
        fixture.iteration(8, "same", LASTING);
        PublishedPolicy published = publish("same");

        assertThat(published.isInForce(fixture.image)).isFalse();
        fixture.iteration(9, "same", LASTING);
        assertThat(published.isInForce(fixture.image)).isTrue();
    }

    @Test
    void shouldWaitForTheFirstIterationOfAll() {
        fixture.image.iterations().clear();
        PublishedPolicy published = publish("first");

        assertThat(published.isInForce(fixture.image)).isFalse();
        fixture.iteration(1, "first", RuntimeSettings.NONE);
        assertThat(published.isInForce(fixture.image)).isTrue();
    }

    private PublishedPolicy publish(String version) {
        return PublishedPolicy.into(
                fixture.image,
                PolicyVersion.newBuilder()
                        .setCluster("kth")
                        .setVersion(version)
                        .setText("")
                        .setTime(ImageFixture.NOW)
                        .build());
    }
}
