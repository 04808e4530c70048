package io.weir.notifier.exec;

import io.weir.notifier.spi.ChargeForm;
import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Charge;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one program per charge, never two of one beside each other, which finds the charge's line on its standard input and its
 * id in the environment too, and goes by the exit code: 0 is taken, 75 (EX_TEMPFAIL) and the end by a signal or the timeout mean
 * again, any other is refused.
 */
final class ChargeProgram implements ChargePeer {

    private static final int EX_TEMPFAIL = 75;
    private static final int OUTPUT_BYTES = 4_096;

    private static final Logger log = LoggerFactory.getLogger(ChargeProgram.class);

    private final String peer;
    private final Path program;
    private final List<String> arguments;
    private final Duration timeout;
    private final ProgramRunner runner;

    ChargeProgram(String peer, Path program, List<String> arguments, Duration timeout, ProgramRunner runner) {
        this.peer = peer;
        this.program = program;
        this.arguments = List.copyOf(arguments);
        this.timeout = timeout;
        this.runner = runner;
    }

    @Override
    public boolean needsMark() {
        return true;
    }

    /** What a killed notifier began would otherwise go on beside its repetition. */
    @Override
    public Receipt bookAgain(Charge charge) throws DeliveryException, InterruptedException {
        if (LeftPrograms.end(program.toString(), marks(charge)) > 0) {
            log.warn(
                    "chargeId={} channel={}: ended a program that a killed notifier had left",
                    charge.getChargeId(),
                    peer);
        }
        return book(charge);
    }

    /** What tells the processes of one charge from all others, also from those of the same one by another peer. */
    private Map<String, String> marks(Charge charge) {
        return Map.of("WEIR_CHARGE", ChargeForm.id(charge), "WEIR_CLUSTER", charge.getCluster(), "WEIR_PEER", peer);
    }

    @Override
    public Receipt book(Charge charge) throws DeliveryException, InterruptedException {
        Optional<String> obstacle = ProgramList.obstacle(program);
        if (obstacle.isPresent()) {
            throw new RetriableDeliveryException(obstacle.get());
        }
        ProgramEnd end;
        try {
            end = runner.run(new ProgramCall(
                    List.of(),
                    program,
                    arguments,
                    marks(charge),
                    ChargeForm.line(charge) + "\n",
                    timeout,
                    OUTPUT_BYTES));
        } catch (IOException e) {
            throw new RetriableDeliveryException(program + " cannot be started: " + e.getMessage(), e);
        }
        if (end.timedOut()) {
            throw RetriableDeliveryException.inDoubt(
                    program + " did not end within " + timeout.toMillis() + " ms and was killed" + end.words(),
                    new IOException("timeout"));
        }
        String said = program + " ended with exit code " + end.exitCode() + end.words();
        if (end.exitCode() == 0) {
            return new Receipt(said);
        }
        if (end.bySignal()) {
            throw RetriableDeliveryException.inDoubt(said, new IOException("ended by a signal"));
        }
        throw end.exitCode() == EX_TEMPFAIL ? new RetriableDeliveryException(said) : new DeliveryException(said);
    }

    @Override
    public void close() {
        // Every program has ended, or was killed, before book came back.
    }
}
