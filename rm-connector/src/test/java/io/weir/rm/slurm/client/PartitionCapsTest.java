package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PartitionCapsTest {
    private static final String SAID = """
            PartitionName=batch AllowGroups=ALL Default=YES MaxNodes=UNLIMITED MaxCPUsPerNode=UNLIMITED Nodes=n[1-4] State=UP
            PartitionName=part AllowGroups=ALL Default=NO MaxNodes=UNLIMITED LLN=NO MaxCPUsPerNode=2 Nodes=n[1-4] State=UP
            """;

    @Test
    void shouldTellHowManyProcessorsOfANodeAPartitionGives() {
        PartitionCaps caps = PartitionCaps.parse(SAID);

        assertThat(caps.of("part", 4)).isEqualTo(2);
        assertThat(caps.of("part", 1)).isEqualTo(1);
        assertThat(caps.of("batch", 4)).isEqualTo(4);
        assertThat(caps.of("other", 4)).isEqualTo(4);
    }
}
