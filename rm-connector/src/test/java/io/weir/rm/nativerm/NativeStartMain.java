package io.weir.rm.nativerm;

import io.weir.rm.spi.Commands;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RmContext;
import io.weir.schemas.CommandKind;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** A process that starts one job of a toy and is killed meanwhile: directory, number of the command, job, file. */
final class NativeStartMain {
    static {
        AvroTrust.install();
    }

    private NativeStartMain() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        try (ResourceManager rm = open(directory)) {
            rm.poll();
            Files.createFile(Path.of(arguments[3]));
            Commands.execute(rm, start(Long.parseLong(arguments[1]), arguments[2]));
        }
    }

    static ResourceManager open(Path directory) {
        return new NativeProvider()
                .open(new RmContext(
                        "drill", "rm", directory, ToyRm.in(directory).settings()));
    }

    static RmCommand start(long number, String job) {
        Instant issued = Instant.ofEpochSecond(Instant.now().getEpochSecond() - 1);
        return Commands.builder("drill", number, CommandKind.START_JOB, job, issued)
                .setAllocation(List.of(new NodeAllocation("n1", 1)))
                .build();
    }
}
