package io.weir.loop.site;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.loop.turn.Turns;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestResult;
import io.weir.service.http.HttpRefusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntFunction;

/**
 * A client of the API, which has one wish: it asks, with the same id at this instance or the other, until it has an answer,
 * and may ask once more when it has one. What it is told it keeps. It has no thread.
 */
public final class ApiClient {
    private static final int SHORTEST_PATIENCE_MICROS = 200_000;
    private static final int LONGEST_PATIENCE_MICROS = 6_000_000;
    private static final int LONGEST_PAUSE_MICROS = 1_500_000;

    private final Turns turns;
    private final Random random;
    private final IntFunction<Optional<ApiProcess>> instances;
    private final Wish wish;
    private final List<RequestResult> answers = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();
    private int attempt;
    private int toCome;

    /**
     * What is asked.
     *
     * @param cluster about which cluster
     * @param principal who asks
     * @param id id that the client gives it
     * @param kind what is asked
     * @param object what it is about
     * @param arguments how
     * @param repetitions how often it is asked again when it is answered
     * @param pinned whether it is asked at instance {@code first} only
     * @param first where it is asked first, 0 or 1
     */
    public record Wish(
            String cluster,
            Principal principal,
            String id,
            RequestKind kind,
            String object,
            List<NameValue> arguments,
            int repetitions,
            boolean pinned,
            int first) {
        /** Returns the body of the request under {@code requestId}. */
        ObjectNode body(String requestId) {
            ObjectNode body = JsonNodeFactory.instance.objectNode();
            body.put("kind", kind.name());
            body.put("objectId", object);
            body.put("requestId", requestId);
            ArrayNode list = body.putArray("arguments");
            arguments.forEach(
                    argument -> list.addObject().put("name", argument.getName()).put("value", argument.getValue()));
            return body;
        }
    }

    /** Creates a client; {@code instances} gives the instance of a number, if it runs. */
    public ApiClient(Turns turns, Random random, IntFunction<Optional<ApiProcess>> instances, Wish wish) {
        this.turns = turns;
        this.random = random;
        this.instances = instances;
        this.wish = wish;
        this.toCome = 1 + wish.repetitions();
    }

    /** Asks for the first time; {@code forgetful} has it give every attempt another id, as if it were another wish. */
    public void begin(boolean forgetful) {
        ask(wish.first(), forgetful);
    }

    private void ask(int instance, boolean forgetful) {
        int number = ++attempt;
        String id = forgetful && number > 1 ? wish.id() + "~" + number : wish.id();
        Attempt call = new Attempt(number, forgetful);
        turns.at(
                turns.now()
                        + SHORTEST_PATIENCE_MICROS
                        + random.nextInt(LONGEST_PATIENCE_MICROS - SHORTEST_PATIENCE_MICROS),
                call::giveUp);
        instances
                .apply(instance)
                .ifPresentOrElse(
                        api -> api.call(wish.principal(), wish.cluster(), wish.body(id), call),
                        () -> call.failed("nobody listens"));
    }

    /** Returns what was asked. */
    public Wish wish() {
        return wish;
    }

    /** Returns all answers that it was given, in the order given. */
    public List<RequestResult> answers() {
        return List.copyOf(answers);
    }

    /** Returns why the API itself would not pass it on, in the order told. */
    public List<String> refusals() {
        return List.copyOf(refusals);
    }

    /** Says whether it was told what came of its wish, as often as it asked. */
    public boolean isSettled() {
        return toCome <= 0;
    }

    /** One call. */
    private final class Attempt implements ApiProcess.Caller {
        private final int number;
        private final boolean forgetful;

        Attempt(int number, boolean forgetful) {
            this.number = number;
            this.forgetful = forgetful;
        }

        @Override
        public void answered(RequestResult result) {
            answers.add(result);
            told();
        }

        @Override
        public void refused(HttpRefusal refusal) {
            refusals.add(refusal.status() + " " + refusal.getMessage());
            told();
        }

        @Override
        public void failed(String why) {
            if (number == attempt) {
                again();
            }
        }

        /** Takes what came too late as well: it was sent, and has to be true. */
        private void told() {
            if (number == attempt && --toCome > 0) {
                again();
            }
        }

        private void giveUp() {
            if (number == attempt && toCome > 0) {
                again();
            }
        }

        private void again() {
            int instance = wish.pinned() ? wish.first() : random.nextInt(2);
            int pause = 1 + random.nextInt(LONGEST_PAUSE_MICROS);
            int begun = attempt;
            turns.at(turns.now() + pause, () -> {
                if (begun == attempt && toCome > 0) {
                    ask(instance, forgetful);
                }
            });
        }
    }
}
