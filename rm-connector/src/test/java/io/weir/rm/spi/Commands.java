package io.weir.rm.spi;

import io.weir.schemas.CommandKind;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/** Commands for tests, numbered and named as the scheduler does it. */
public final class Commands {

    private static final Instant ISSUED = Instant.ofEpochSecond(900);

    /** How often a resource manager is asked that does not know yet what came of a command. */
    private static final int ATTEMPTS = 3;

    static {
        AvroTrust.install();
    }

    private Commands() {}

    /** Returns command {@code number} about {@code job}. */
    public static RmCommand command(long number, CommandKind kind, String job) {
        return builder("c1", number, kind, job, ISSUED).build();
    }

    /** Returns a command that is not to be carried out after {@code expiresAt}. */
    public static RmCommand expiring(long number, CommandKind kind, String job, Instant expiresAt) {
        return builder("c1", number, kind, job, ISSUED).setExpiresAt(expiresAt).build();
    }

    /** Returns a command to start {@code job} on the nodes given. */
    public static RmCommand start(long number, String job, NodeAllocation... allocation) {
        return builder("c1", number, CommandKind.START_JOB, job, ISSUED)
                .setAllocation(List.of(allocation))
                .build();
    }

    /**
     * Has {@code rm} carry out a command to its end, looking again as often as it wants, and asking again where nobody
     * knows yet what came of it.
     */
    public static RmAnswer carryOut(ResourceManager rm, RmCommand command) {
        for (int attempt = 1; ; attempt++) {
            try {
                CommandCheck check = settle(CommandCheck.of(rm.execute(command)));
                if (check.answer() != null) {
                    return check.answer();
                }
            } catch (RetriableRmException e) {
                if (attempt >= ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Has {@code rm} carry out a command to its end, looking again as often as it wants. */
    public static RmAnswer execute(ResourceManager rm, RmCommand command) {
        return settled(rm.execute(command));
    }

    /** Returns the answer that comes of what was begun. */
    public static RmAnswer settled(Execution execution) {
        return Objects.requireNonNull(settle(CommandCheck.of(execution)).answer());
    }

    /** Returns what {@code rm} says of a command that may have been carried out, when it can tell. */
    public static CommandCheck lookup(ResourceManager rm, RmCommand command) {
        return settle(rm.lookup(command));
    }

    private static CommandCheck settle(CommandCheck check) {
        CommandCheck last = check;
        while (last.ongoing() != null) {
            LockSupport.parkNanos(last.ongoing().pause().toNanos());
            last = last.ongoing().look();
        }
        return last;
    }

    /** Returns the beginnings of command {@code number} of {@code cluster}. */
    public static RmCommand.Builder builder(
            String cluster, long number, CommandKind kind, String job, Instant issuedAt) {
        return RmCommand.newBuilder()
                .setCluster(cluster)
                .setConnector("rm")
                .setNumber(number)
                .setCommandId(cluster + "/" + number + "/0")
                .setKind(kind)
                .setJobId(job)
                .setReason("test")
                .setIteration(number)
                .setIssuedAt(issuedAt);
    }
}
