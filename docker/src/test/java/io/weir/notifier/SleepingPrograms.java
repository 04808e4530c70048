package io.weir.notifier;

import static org.awaitility.Awaitility.await;

import io.weir.schemas.TriggerFiring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Triggers' programs that do not end by themselves, and the firings that begin and end them. For one test and its thread. */
final class SleepingPrograms {
    /** The trigger of all firings but some: they are in the first lane, that of the reader {@code action.exec}. */
    private static final String TRIGGER = "t";

    /** A trigger whose firings are in the second lane. */
    private static final String OTHER_TRIGGER = "t1";

    static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path directory;
    private final Path program;

    /** Writes the program to {@code directory}, where each of its processes leaves the id of what it started. */
    SleepingPrograms(Path directory) throws IOException {
        this.directory = directory;
        program = Files.writeString(
                directory.resolve("attend"),
                "#!/bin/sh\nsleep 1000 &\necho $! >" + directory + "/$1.new\n" + "mv " + directory + "/$1.new "
                        + directory + "/$1\nwait\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    /** Returns the settings of a notifier that may run the program. */
    Map<String, String> settings() {
        return Map.of("notifier.actions", "exec", "action.exec.programs", program.toString());
    }

    /** Returns what the program of firing {@code id} started, when it has. */
    ProcessHandle begun(String id) throws IOException {
        await("the beginning of " + id).atMost(PATIENCE).until(() -> isBegun(id));
        return ProcessHandle.of(Long.parseLong(Files.readString(file(id)).strip()))
                .orElseThrow();
    }

    /** Returns whether the program of firing {@code id} was begun. */
    boolean isBegun(String id) {
        return Files.exists(file(id));
    }

    private Path file(String id) {
        return directory.resolve(id);
    }

    /** Returns whether {@code process} was started by {@code ancestor}, or by one that was. */
    static boolean isBelow(ProcessHandle process, Process ancestor) {
        return ancestor.descendants().anyMatch(process::equals);
    }

    static void awaitEnd(ProcessHandle process) {
        await("the end of " + process.pid()).atMost(PATIENCE).until(() -> !process.isAlive());
    }

    /** Returns the firing {@code id} of another trigger, in another lane, which begins a program. */
    TriggerFiring runBesides(String id, Duration timeout) {
        return TriggerFiring.newBuilder(run(id, timeout))
                .setTriggerId(OTHER_TRIGGER)
                .build();
    }

    /** Returns the firing {@code id}, which begins a program. */
    TriggerFiring run(String id, Duration timeout) {
        return firing(id, "exec", program.toString())
                .setArguments(List.of(id))
                .setTimeoutMillis(timeout.toMillis())
                .build();
    }

    /** Returns the firing {@code id}, which ends the program of the firing {@code other}. */
    static TriggerFiring end(String id, String other) {
        return firing(id, "stop", idOf(other)).build();
    }

    /** Returns the whole id of the firing {@code id}. */
    static String idOf(String id) {
        return "tiny/1/" + id;
    }

    private static TriggerFiring.Builder firing(String id, String type, String target) {
        return TriggerFiring.newBuilder()
                .setCluster("tiny")
                .setFiringId(idOf(id))
                .setTriggerId(TRIGGER)
                .setIteration(1)
                .setTime(Instant.parse("2026-03-01T10:00:00Z"))
                .setActionType(type)
                .setAction(type)
                .setTarget(target)
                .setObjectType("job")
                .setObjectId("j1");
    }
}
