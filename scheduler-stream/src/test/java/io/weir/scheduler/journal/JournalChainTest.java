package io.weir.scheduler.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.Iteration;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.TopicCount;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalChainTest {
    static {
        AvroTrust.install();
    }

    /** The digests of a build are over its own bytes, and it may have published to other topics. */
    @Test
    void shouldGoOnFromAnIterationAsAnotherBuildWroteIt() {
        byte[] written = {1, 2, 3};
        Iteration recorded = Iteration.newBuilder()
                .setCluster("c")
                .setNumber(7)
                .setNow(Instant.EPOCH)
                .setTrigger(IterationTrigger.EVENT)
                .setPolicyVersion("")
                .setBuild("earlier")
                .setDecisionVersion(1)
                .setLastInput(42)
                .setInputsDigest("00")
                .setOutputs(List.of(new TopicCount("jobs", 5L)))
                .setOutputsDigest("00")
                .setPrevious("")
                .build();
        JournalChain chain = new JournalChain("c");

        chain.adopt(recorded, written);

        assertThat(chain.status().getPrevious()).isEqualTo(Sha256.hex(Sha256.of(written)));
        assertThat(chain.status().getDigest()).isEqualTo(Sha256.hex(Sha256.of(written)));
        assertThat(chain.status().getSequence()).isEqualTo(42);
        assertThat(chain.status().getIteration()).isEqualTo(7);
        assertThat(chain.status().getOutputs())
                .singleElement()
                .satisfies(count -> assertThat(count.getCount()).isEqualTo(5));
    }
}
