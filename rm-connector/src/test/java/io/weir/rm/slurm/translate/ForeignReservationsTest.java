package io.weir.rm.slurm.translate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmNode;
import io.weir.rm.slurm.client.SlurmReservation;
import io.weir.rm.slurm.client.SlurmReservation.Admission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ForeignReservationsTest {
    private static final Instant NOW = Instant.ofEpochSecond(10_000);
    private static final Admission ROOT = new Admission(List.of("root"), List.of(), List.of());
    private static final Admission ANN = new Admission(List.of("ann", "ben"), List.of(), List.of("staff"));

    private final NodePartitions nodes = new NodePartitions();
    private final ForeignReservations reservations = new ForeignReservations(nodes);

    @BeforeEach
    void describeNodes() throws JsonProcessingException {
        List<SlurmNode> all = new ArrayList<>();
        for (String name : List.of("n1", "n2", "n3")) {
            all.add(SlurmNode.of(new ObjectMapper()
                    .readTree("{\"name\":\"" + name
                            + "\",\"cpus\":8,\"sockets\":1,\"cores\":4,\"threads\":2,\"partitions\":[\"batch\"]}")));
        }
        nodes.see(all);
    }

    private static SlurmReservation of(
            String name, Set<String> nodes, long from, long until, long cores, Admission admission, boolean magnetic) {
        return new SlurmReservation(
                name,
                new TreeSet<>(nodes),
                NOW.plusSeconds(from),
                NOW.plusSeconds(until),
                false,
                false,
                cores,
                admission,
                magnetic);
    }

    /** A job of ann's, of the group staff, for ten minutes. */
    private static SlurmJob job(String more) {
        try {
            return SlurmJob.of(new ObjectMapper()
                    .readTree("{\"job_id\":17,\"job_state\":\"PENDING\",\"user_name\":\"ann\",\"group_name\":\"staff\","
                            + "\"partition\":\"batch\",\"time_limit\":10" + more + "}"));
        } catch (JsonProcessingException e) {
            throw new AssertionError(more, e);
        }
    }

    @Test
    void shouldHaveJobsTriedAgainOnNodesOfWhichAReservationIsGone() {
        StartObstacles obstacles = new StartObstacles();
        SlurmJobTranslation translation = new SlurmJobTranslation("c1", false, obstacles, nodes);
        SlurmReservation part = of("part", Set.of("n1"), 0, 3600, 2, ROOT, false);
        SlurmJob job = job("");
        Instant later = NOW.plusSeconds(20);
        translation.see(List.of(part), NOW);
        obstacles.met(job, StartObstacle.of("Resources", List.of("n1")), NOW);
        obstacles.met(job, StartObstacle.of("Resources", List.of("n2")), NOW);

        translation.see(List.of(part), later);
        assertThat(obstacles.leftOut(job, later)).containsExactly("n1", "n2");
        translation.see(List.of(), later);

        assertThat(obstacles.takeEnded()).containsExactly("17");
        assertThat(obstacles.leftOut(job, later)).containsExactly("n2");
    }

    private static String processors(int number) {
        return ",\"tasks\":1,\"cpus\":" + number + ",\"cpus_per_task\":" + number;
    }

    @Test
    void shouldLeaveTheCoresThatAreNotReserved() {
        reservations.see(List.of(of("part", Set.of("n1", "n2"), 0, 3600, 4, ROOT, false)));

        assertThat(reservations.keptFrom(job(processors(4)), NOW)).isEmpty();
        assertThat(reservations.keptFrom(job(processors(5)), NOW)).containsExactly("n1", "n2");
        reservations.see(List.of(of("whole", Set.of("n1", "n2"), 0, 3600, 8, ROOT, false)));
        assertThat(reservations.keptFrom(job(processors(1)), NOW)).containsExactly("n1", "n2");
    }

    @Test
    void shouldTakeThatOfSeveralReservationsWhichHasBegun() {
        SlurmReservation later = of("later", Set.of("n1"), 600, 3600, 4, ANN, false);
        SlurmReservation last = of("last", Set.of("n2"), 1200, 3600, 4, ANN, false);
        SlurmReservation begun = of("begun", Set.of("n3"), -600, 3600, 4, ANN, false);
        SlurmJob job = job(",\"resv_name\":\"last,later,begun\"");

        reservations.see(List.of(later, begun, last));
        assertThat(reservations.askedBy(job, NOW)).contains(begun);
        assertThat(reservations.keptFrom(job, NOW)).isEmpty();
        reservations.see(List.of(last, later));
        assertThat(reservations.askedBy(job, NOW)).contains(later);
        assertThat(reservations.askedBy(job(""), NOW)).isEmpty();
    }

    @Test
    void shouldAdmitToAMagneticReservationWhomItIsFor() {
        SlurmReservation magnet = of("magnet", Set.of("n1", "n2"), -60, 900, 8, ANN, true);
        String named = ",\"required_nodes\":\"n1\",\"tres_req_str\":\"cpu=1,node=1\"";
        reservations.see(List.of(magnet));

        assertThat(reservations.keptFrom(job(named), NOW)).isEmpty();
        assertThat(reservations.keptFrom(job(",\"tasks\":1"), NOW)).isEmpty();
        assertThat(reservations.keptFrom(job(named), NOW.plusSeconds(600)))
                .as("it may go on when the reservation is over")
                .isEmpty();
        reservations.see(List.of(of("magnet", Set.of("n1", "n2"), -60, 900, 8, ROOT, true)));
        assertThat(reservations.keptFrom(job(named), NOW)).containsExactly("n1", "n2");
    }

    @Test
    void shouldHaveJobsOfSeveralNodesOnOneSideOfAMagneticReservation() {
        SlurmReservation magnet = of("magnet", Set.of("n1", "n2"), -60, 900, 8, ANN, true);
        SlurmReservation other = of("other", Set.of("n3"), -60, 900, 4, ROOT, true);
        reservations.see(List.of(magnet, other));
        SlurmJob open = job(",\"tasks\":9");

        assertThat(reservations.keptFrom(open, NOW)).containsExactly("n3");
        assertThat(reservations.sides(open, NOW)).containsExactly("reservation/magnet", "reservation/none");
        assertThat(reservations.sides(job(",\"tasks\":9,\"required_nodes\":\"n1\",\"tres_req_str\":\"node=2\""), NOW))
                .containsExactly("reservation/magnet");
        assertThat(reservations.sides(job(",\"tasks\":9,\"required_nodes\":\"n3\",\"tres_req_str\":\"node=2\""), NOW))
                .isEmpty();
        assertThat(reservations.sides(job(",\"tasks\":9"), NOW.minusSeconds(61)))
                .isEmpty();
        assertThat(reservations.magnetic(NOW).feature("n2")).contains("reservation/magnet");
        assertThat(reservations.magnetic(NOW).feature("n3")).contains("reservation/other");
        assertThat(reservations.magnetic(NOW).feature("n4")).contains("reservation/none");
        assertThat(reservations.magnetic(NOW.minusSeconds(61)).feature("n1")).isEmpty();
        assertThat(reservations.magnetic(NOW.plusSeconds(900)).feature("n1")).isEmpty();
    }

    /** Colons, semicolons and commas part the words of an extension. */
    @Test
    void shouldWriteNoNameThatPartsTheListOfSides() {
        reservations.see(List.of(of("a:b;c,d e", Set.of("n1", "n2"), -60, 900, 8, ANN, true)));

        assertThat(reservations.sides(job(",\"tasks\":9"), NOW))
                .containsExactly("reservation/a_b_c_d_e", "reservation/none");
        assertThat(reservations.magnetic(NOW).feature("n1")).contains("reservation/a_b_c_d_e");
    }

    /** What it leaves of its nodes is nobody's side. */
    @Test
    void shouldKeepJobsOfSeveralNodesFromAMagneticReservationOfCores() {
        reservations.see(List.of(of("part", Set.of("n1", "n2"), -60, 900, 7, ANN, true)));
        SlurmJob wide = job(",\"tasks\":9");

        assertThat(reservations.sides(wide, NOW)).isEmpty();
        assertThat(reservations.keptFrom(wide, NOW)).containsExactly("n1", "n2");
        assertThat(reservations.magnetic(NOW).feature("n1")).isEmpty();
    }
}
