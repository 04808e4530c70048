package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SystemMemoryTest {
    private static final String SAID = """
            NodeName=n1 Arch=x86_64 CoresPerSocket=2 CPUTot=8 RealMemory=8000 AllocMem=0 Comment=MemSpecLimit=5
            NodeName=n3 Arch=x86_64 CoresPerSocket=2 CPUTot=8 RealMemory=8000 AllocMem=0 CoreSpecCount=1 CPUSpecList=6-7 MemSpecLimit=1000 State=IDLE
            """;

    private static SlurmNode node(String name) throws IOException {
        return SlurmNode.of(new ObjectMapper()
                .readTree("{\"name\": \"" + name + "\", \"cpus\": 8, \"real_memory\": 8000, \"state\": \"idle\"}"));
    }

    @Test
    void shouldGiveJobsNothingOfTheMemoryThatIsKeptForTheSystem() throws IOException {
        SystemMemory memory = SystemMemory.parse(SAID);

        assertThat(memory.leftOf(node("n3")).memoryMb()).isEqualTo(7000);
        assertThat(memory.leftOf(node("n1")).memoryMb()).isEqualTo(8000);
        assertThat(memory.leftOf(node("n9")).memoryMb()).isEqualTo(8000);
    }
}
