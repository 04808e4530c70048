package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TopicNamesTest {

    private final TopicNames names = new TopicNames("site-a.");

    @Test
    void shouldGoThereAndBack() {
        for (Topic<?> topic : Topics.all()) {
            assertThat(names.topic(names.full(topic))).contains(topic);
        }
        assertThat(names.full(Topics.RM_NODES)).isEqualTo("site-a.rm.nodes");
        assertThat(names.base("site-a.rm.nodes")).contains("rm.nodes");
    }

    @Test
    void shouldNotKnowTopicsOfOthers() {
        assertThat(names.base("weir.rm.nodes")).isEmpty();
        assertThat(names.topic("site-a.other")).isEmpty();
    }

    @Test
    void shouldRefusePrefixesThatTheBrokerWouldRefuse() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TopicNames("a/b"))
                .withMessageContaining("a/b");
    }
}
