package io.weir.rm.slurm.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.rm.slurm.client.RestTransport;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.spi.CommandArguments;
import io.weir.rm.spi.Commands;
import io.weir.schemas.CommandKind;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More nodes than fit into a word of a command; a program that writes down how it was called stands for scontrol. */
class LongNodeListsTest {
    private static final int MANY = 20_000;

    @TempDir
    Path directory;

    private SlurmCommands commands;

    @BeforeEach
    void install() throws IOException {
        Path scontrol = directory.resolve("scontrol");
        Files.writeString(scontrol, "#!/bin/sh\necho \"$*\" >>\"$(dirname \"$0\")/calls\"\n");
        Files.setPosixFilePermissions(scontrol, PosixFilePermissions.fromString("rwxr-xr-x"));
        commands = new SlurmCommands(directory, null, Duration.ofSeconds(10));
    }

    @AfterEach
    void close() {
        commands.close();
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(directory.resolve("calls"));
    }

    private static IntStream many() {
        return IntStream.range(0, MANY);
    }

    @Test
    void shouldReserveThem() throws Exception {
        RmCommand command = Commands.builder("c1", 1, CommandKind.CREATE_RESERVATION, "", Instant.EPOCH)
                .setJobId(null)
                .setObjectId("x")
                .setArguments(List.of(new NameValue(CommandArguments.START, "2000")))
                .setAllocation(many().mapToObj(i -> new NodeAllocation("cn%06d".formatted(i), 1))
                        .toList())
                .build();

        new ReservationMirror(commands).create(command, Instant.ofEpochSecond(1000));

        assertThat(calls()).last().asString().startsWith("create ").contains(" Nodes=cn[000000-019999] ");
    }

    @Test
    void shouldLeaveThemToAJobThatGivesOneAway() throws Exception {
        SlurmJob job = SlurmJob.of(new ObjectMapper()
                .readTree("{\"job_id\":17,\"submit_time\":1000,\"job_state\":\"RUNNING\",\"start_time\":1500,"
                        + "\"nodes\":\"cn[000000-019999]\",\"cpus\":20000,\"job_resources\":{\"allocated_nodes\":["
                        + many().mapToObj(
                                        "{\"nodename\":\"cn%06d\",\"sockets\":{\"0\":{\"cores\":{\"0\":\"a\"}}}}"
                                                ::formatted)
                                .collect(Collectors.joining(","))
                        + "]}}"));
        assertThat(job.allocation()).hasSize(MANY);

        new JobResizer(new SlurmRest(new NoTransport(), null, Duration.ofSeconds(1)), commands)
                .remove(job, Set.of("cn019999"));

        assertThat(calls()).containsExactly("update JobId=17 NodeList=cn[000000-019998]");
    }

    private static final class NoTransport implements RestTransport {
        @Override
        public Reply send(String method, String target, byte @Nullable [] body, Duration limit) throws IOException {
            throw new IOException("nothing is asked");
        }

        @Override
        public String toString() {
            return "none";
        }
    }
}
