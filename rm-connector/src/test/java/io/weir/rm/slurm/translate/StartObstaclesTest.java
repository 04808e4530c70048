package io.weir.rm.slurm.translate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.rm.slurm.client.SlurmJob;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartObstaclesTest {
    private static final Instant NOW = Instant.ofEpochSecond(2_000);

    private final StartObstacles obstacles = new StartObstacles();
    private final SlurmJob first = job(1);
    private final SlurmJob second = job(2);

    @Test
    void shouldWaitTwiceAsLongEachTime() {
        obstacles.met(first, StartObstacle.UNREGISTERED, NOW);
        assertThat(obstacles.nextChange(first, NOW)).isEqualTo(NOW.plusSeconds(10));

        obstacles.met(first, StartObstacle.UNREGISTERED, NOW);
        assertThat(obstacles.nextChange(first, NOW)).isEqualTo(NOW.plusSeconds(20));
        assertThat(obstacles.waitsFor(first, NOW.plusSeconds(20))).isEmpty();
    }

    @Test
    void shouldLetAllGoOnWhenWhatKeptThemBackIsOver() {
        obstacles.met(second, StartObstacle.UNREGISTERED, NOW);
        obstacles.met(first, StartObstacle.UNREGISTERED, NOW);
        obstacles.met(job(3), StartObstacle.of("AssocGrpCpuLimit", List.of()), NOW);

        obstacles.end(StartObstacle.UNREGISTERED, NOW);

        assertThat(obstacles.waitsFor(first, NOW)).isEmpty();
        assertThat(obstacles.waitsFor(job(3), NOW)).isPresent();
        assertThat(obstacles.takeEnded()).containsExactly("2", "1");
        assertThat(obstacles.takeEnded()).isEmpty();
    }

    @Test
    void shouldSayNothingOfJobsThatNoLongerWait() {
        obstacles.met(first, StartObstacle.UNREGISTERED, NOW);
        obstacles.met(second, StartObstacle.UNREGISTERED, NOW);

        obstacles.end(StartObstacle.UNREGISTERED, NOW.plusSeconds(10));
        assertThat(obstacles.takeEnded()).isEmpty();

        obstacles.met(first, StartObstacle.UNREGISTERED, NOW.plusSeconds(10));
        obstacles.end(StartObstacle.UNREGISTERED, NOW.plusSeconds(11));
        obstacles.forget(first.key());
        assertThat(obstacles.takeEnded()).isEmpty();
    }

    private static SlurmJob job(int id) {
        try {
            return SlurmJob.of(new ObjectMapper().readTree("{\"job_id\":" + id + ",\"submit_time\":1000}"));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
