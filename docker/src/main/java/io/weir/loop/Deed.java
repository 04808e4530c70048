package io.weir.loop;

import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something done to a site from outside, at a time: a fault, or what a user does. Times are milliseconds of the life. */
public sealed interface Deed {
    /** Returns when it is done. */
    long at();

    /** A process is killed behind so many of its next calls; it starts again {@code downMillis} later. */
    record Kill(long at, Who who, int calls, long downMillis) implements Deed {}

    /** A process stands still behind so many of its next calls, for a while, and knows nothing of it. */
    record Freeze(long at, Who who, int calls, long millis) implements Deed {}

    /** The wall clock of a process is put wrong by so much. */
    record StepClock(long at, Who who, long errorMillis) implements Deed {}

    /** Nobody reaches the broker for a while. */
    record TakeBrokerAway(long at, long millis) implements Deed {}

    /** Nobody reaches the schema registry for a while; lives with such a deed begin without any schema in memory. */
    record TakeRegistryAway(long at, long millis) implements Deed {}

    /** Nobody reaches the resource manager for a while. */
    record TakeMachineAway(long at, long millis) implements Deed {}

    /** So many of a hundred calls to the resource manager go wrong from now on, each in its own way. */
    record TroubleMachine(long at, int percent) implements Deed {}

    /** Another connector of the same id is started. */
    record StartConnector(long at, Who who) implements Deed {}

    /** The broker compacts what it may. */
    record Compact(long at, boolean tombstones) implements Deed {}

    /** A mirror writes the last {@code count} records of a topic once more, as a copy at least once may. */
    record Repeat(long at, String topic, int count) implements Deed {}

    /** A client of the API asks for something until it is answered, and {@code repetitions} times more. */
    record Call(
            long at,
            String id,
            String principal,
            RequestKind kind,
            String object,
            List<NameValue> arguments,
            int instance,
            int repetitions)
            implements Deed {}

    /** Somebody who may write to the log asks for something, without the API. */
    record Ask(long at, String id, String principal, RequestKind kind, String object, List<NameValue> arguments)
            implements Deed {}

    /** Somebody puts a site configuration in force. */
    record Configure(long at, String text) implements Deed {}

    /** Somebody asks for the same thing {@code count} times, each time under an id of its own. */
    record Flood(long at, String id, String principal, int count, RequestKind kind, String object, NameValue argument)
            implements Deed {}

    /** A client of the API asks for the same thing {@code count} times at once, each time under an id of its own. */
    record Crowd(long at, String id, String principal, int count, RequestKind kind, String object, NameValue argument)
            implements Deed {}

    /** A user writes into a job: an extension text, a name, and when it may start. */
    record WriteIntoJob(
            long at,
            String job,
            @Nullable String extension,
            @Nullable String name,
            @Nullable Instant startAfter) implements Deed {}

    /** Monitoring tells of something, or that it is over. */
    record Tell(long at, String event, String objectType, String object, String text, boolean active) implements Deed {}

    /** A node is down for a while, as the resource manager sees it; its jobs run on there. */
    record FailNode(long at, String node, long millis) implements Deed {}

    /** A node measures so much from now on, as the resource manager tells. */
    record Measure(long at, String node, String metric, double value) implements Deed {}

    /** The last {@code count} firings of triggers are answered, each with the same, whatever they were answered before. */
    record AnswerFirings(long at, int count, DeliveryOutcome outcome, String output, NameValue variable)
            implements Deed {}

    /** A foreign producer writes an event whose headers are large, and small when compressed. */
    record Inflate(long at, int bytes) implements Deed {}

    /** An event comes in on which the scheduler has a fault: it fails whenever it takes it in. */
    record MeetFault(long at) implements Deed {}

    /** For a while every iteration of the troubled cluster fails when its outcome is written, whatever is set aside. */
    record FailIterations(long at, long millis) implements Deed {}

    /** A foreign producer writes bytes on an input topic, those of {@code latin} in ISO 8859-1. */
    record Scribble(long at, String topic, String key, String latin, long timestamp) implements Deed {}
}
