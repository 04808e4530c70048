package io.weir.rm.runtime;

import io.weir.schemas.CommandKind;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;

/** Commands for tests. */
public final class Commands {

    static {
        AvroTrust.install();
    }

    private Commands() {}

    /** Returns command {@code number} about {@code job}. */
    public static RmCommand command(long number, CommandKind kind, String job) {
        return builder(number, kind, job).build();
    }

    /** Returns a command that is not to be carried out after {@code expiresAt}. */
    public static RmCommand expiring(long number, CommandKind kind, String job, Instant expiresAt) {
        return builder(number, kind, job).setExpiresAt(expiresAt).build();
    }

    /** Returns a command to start {@code job} on the nodes given. */
    public static RmCommand start(long number, String job, NodeAllocation... allocation) {
        return builder(number, CommandKind.START_JOB, job)
                .setAllocation(List.of(allocation))
                .build();
    }

    private static RmCommand.Builder builder(long number, CommandKind kind, String job) {
        return RmCommand.newBuilder()
                .setCluster("c1")
                .setConnector("rm")
                .setNumber(number)
                .setCommandId("c1/" + number + "/0")
                .setKind(kind)
                .setJobId(job)
                .setReason("test")
                .setIteration(number)
                .setIssuedAt(Instant.ofEpochSecond(900));
    }
}
