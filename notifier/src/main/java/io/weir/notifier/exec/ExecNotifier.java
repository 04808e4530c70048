package io.weir.notifier.exec;

import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.DeliveryJson;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one program per delivery, never two of one beside each other, and goes by its exit code: 0 is taken; 64 and 65
 * (EX_USAGE, EX_DATAERR) never will be; any other, and the end by a signal or the timeout, may succeed later.
 */
final class ExecNotifier implements Notifier {

    private static final int EX_USAGE = 64;
    private static final int EX_DATAERR = 65;

    private static final Logger log = LoggerFactory.getLogger(ExecNotifier.class);

    private final String channel;
    private final Path program;
    private final List<ArgumentTemplate> arguments;
    private final Duration timeout;
    private final int outputBytes;
    private final ProgramRunner runner;

    ExecNotifier(
            String channel,
            Path program,
            List<ArgumentTemplate> arguments,
            Duration timeout,
            int outputBytes,
            ProgramRunner runner) {
        this.channel = channel;
        this.program = program;
        this.arguments = List.copyOf(arguments);
        this.timeout = timeout;
        this.outputBytes = outputBytes;
        this.runner = runner;
    }

    @Override
    public Receipt deliver(Delivery delivery) throws DeliveryException, InterruptedException {
        Optional<String> obstacle = ProgramList.obstacle(program);
        if (obstacle.isPresent()) {
            throw new RetriableDeliveryException(obstacle.get());
        }
        if (delivery.possibleDuplicate()) {
            endRemains(delivery);
        }
        Map<String, String> variables = variables(delivery);
        ProgramCall call = new ProgramCall(
                List.of(),
                program,
                arguments.stream().map(template -> template.fill(variables)).toList(),
                environment(variables, delivery),
                DeliveryJson.of(delivery) + "\n",
                timeout,
                outputBytes);
        ProgramEnd end;
        try {
            end = runner.run(call);
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
        if (end.exitCode() == EX_USAGE || end.exitCode() == EX_DATAERR) {
            throw new DeliveryException(said);
        }
        throw end.bySignal()
                ? RetriableDeliveryException.inDoubt(said, new IOException("ended by a signal"))
                : new RetriableDeliveryException(said);
    }

    /** What a killed notifier began would otherwise go on beside its repetition. */
    private void endRemains(Delivery delivery) {
        if (LeftPrograms.end(program.toString(), marks(delivery)) > 0) {
            log.warn(
                    "deliveryId={} channel={}: ended a program that a killed notifier had left",
                    delivery.id(),
                    channel);
        }
    }

    /** What tells the processes of one delivery from all others, also from those of the same one by another channel. */
    private Map<String, String> marks(Delivery delivery) {
        return Map.of("WEIR_ID", delivery.id(), "WEIR_CLUSTER", delivery.cluster(), "WEIR_CHANNEL", channel);
    }

    @Override
    public boolean recognisesRepetitions() {
        return false;
    }

    @Override
    public void close() {
        // Every program has ended, or was killed, before deliver came back.
    }

    /** What arguments may refer to, by its name. */
    static Map<String, String> variables(Delivery delivery) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("ID", delivery.id());
        variables.put("CLUSTER", delivery.cluster());
        variables.put("TIME", delivery.time().toString());
        variables.put("SEVERITY", delivery.severity().name().toLowerCase(Locale.ROOT));
        variables.put("EVENT", delivery.event());
        variables.put("EVENTTYPE", delivery.event().toUpperCase(Locale.ROOT));
        variables.put("OTYPE", delivery.objectType());
        variables.put("OID", delivery.objectId());
        variables.put("SUBJECT", delivery.subject());
        variables.put("MESSAGE", delivery.text());
        variables.put("RECIPIENTS", String.join(",", delivery.recipients()));
        variables.put("POSSIBLE_DUPLICATE", delivery.possibleDuplicate() ? "yes" : "no");
        return variables;
    }

    private Map<String, String> environment(Map<String, String> variables, Delivery delivery) {
        Map<String, String> environment = new LinkedHashMap<>(marks(delivery));
        variables.forEach((name, value) -> environment.put("WEIR_" + name, value));
        return environment;
    }
}
