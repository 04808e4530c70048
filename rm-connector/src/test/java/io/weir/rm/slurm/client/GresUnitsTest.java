package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GresUnitsTest {
    private static SlurmNode node(String gres) {
        try {
            return SlurmNode.of(new ObjectMapper().readTree("{\"name\":\"n1\",\"cpus\":4,\"gres\":\"" + gres + "\"}"));
        } catch (JsonProcessingException e) {
            throw new AssertionError(gres, e);
        }
    }

    @Test
    void shouldCountFewByOnes() {
        assertThat(GresUnits.of(List.of(node("gpu:4,shard:1K"), node("")))).isEqualTo(GresUnits.ONES);
    }

    @Test
    void shouldCountTheSameOnAllNodesByTheUnitThatTheLargestNeeds() {
        GresUnits units = GresUnits.of(List.of(node("gpu:4,disk:nvme:900G"), node("disk:4P"), node("disk:1G")));

        assertThat(units).isEqualTo(new GresUnits(Map.of("disk", 1L << 30)));
        assertThat(units.whole(node("gpu:4,disk:nvme:900G").gres()))
                .containsOnly(Map.entry("gpu", 4L), Map.entry("disk", 900L), Map.entry("disk:nvme", 900L));
        assertThat(units.whole(node("disk:1023M").gres())).containsEntry("disk", 0L);
    }
}
