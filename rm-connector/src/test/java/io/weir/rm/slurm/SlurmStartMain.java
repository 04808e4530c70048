package io.weir.rm.slurm;

import io.weir.rm.spi.Commands;
import io.weir.schemas.CommandKind;
import io.weir.schemas.NodeAllocation;
import io.weir.topics.AvroTrust;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** A process that starts one job and is killed meanwhile: socket, slurm.conf, number of the command, job, node, file. */
final class SlurmStartMain {
    static {
        AvroTrust.install();
    }

    private SlurmStartMain() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, String> settings = new TreeMap<>(Map.of("rest.url", "unix:" + arguments[0], "conf", arguments[1]));
        try (SlurmResourceManager rm = SlurmResourceManager.open(Drive.CLUSTER, SlurmConfig.read(settings))) {
            rm.poll();
            Files.createFile(Path.of(arguments[5]));
            Commands.carryOut(
                    rm,
                    Drive.command(
                            Long.parseLong(arguments[2]),
                            CommandKind.START_JOB,
                            arguments[3],
                            new NodeAllocation(arguments[4], 1)));
        }
    }
}
