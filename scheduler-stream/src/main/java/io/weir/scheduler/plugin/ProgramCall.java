package io.weir.scheduler.plugin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Plug-ins that are programs: the question goes to standard input, the answer comes from standard output, both JSON. The
 * answer is {@code {"nodes": [{"node": "n1", "tasks": 2}, "n2"]}}: nodes in the order in which they are to be filled, as
 * many tasks as there is room for where no number is given, an empty list for no allocation. A program that takes too
 * long or writes too much is killed with all it started. Thread-safe.
 */
final class ProgramCall {
    private static final int MOST_BYTES = 1 << 20;
    private static final int WORDS_KEPT = 300;
    private static final long GRACE_MILLIS = 500;

    private final Map<String, String> environment;
    private final ObjectMapper json = new ObjectMapper();

    ProgramCall(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    List<NodeAllocationPlugin.Choice> choose(Path path, AllocationQuestion question, Duration limit)
            throws PluginFailure, InterruptedException {
        Process process = start(path);
        CompletableFuture<byte[]> output = read(process.getInputStream());
        CompletableFuture<byte[]> errors = read(process.getErrorStream());
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            CompletableFuture<Void> input = write(process.getOutputStream(), json.writeValueAsBytes(question));
            byte[] answer = output.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (answer.length > MOST_BYTES) {
                throw new PluginFailure(path + " wrote more than " + MOST_BYTES + " bytes and was killed");
            }
            if (!process.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                throw late(path, limit);
            }
            input.cancel(true);
            if (process.exitValue() != 0) {
                throw new PluginFailure(path + " ended with exit code " + process.exitValue() + said(errors));
            }
            return choices(path, answer, question);
        } catch (TimeoutException e) {
            throw late(path, limit);
        } catch (ExecutionException e) {
            throw new PluginFailure(path + ": " + e.getCause(), e);
        } catch (JsonProcessingException e) {
            throw new PluginFailure("the question cannot be written: " + e.getOriginalMessage(), e);
        } finally {
            kill(process);
        }
    }

    private static PluginFailure late(Path path, Duration limit) {
        return new PluginFailure(path + " took longer than " + limit.toSeconds() + " s and was killed");
    }

    private Process start(Path path) throws PluginFailure {
        ProcessBuilder builder = new ProcessBuilder(path.toString());
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new PluginFailure(path + " cannot be started: " + e.getMessage(), e);
        }
    }

    /** Reads to the end, but no more than one byte beyond what is allowed. */
    private static CompletableFuture<byte[]> read(InputStream stream) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (stream) {
                        return stream.readNBytes(MOST_BYTES + 1);
                    } catch (IOException e) {
                        return new byte[0];
                    }
                },
                ProgramCall::onThread);
    }

    /** A program need not read the question. */
    private static CompletableFuture<Void> write(OutputStream stream, byte[] text) {
        return CompletableFuture.runAsync(
                () -> {
                    try (stream) {
                        stream.write(text);
                    } catch (IOException e) {
                        // It closed its input, or is gone: its exit code and its output tell.
                    }
                },
                ProgramCall::onThread);
    }

    private static void onThread(Runnable work) {
        Thread thread = new Thread(work, "allocation-program");
        thread.setDaemon(true);
        thread.start();
    }

    private static void kill(Process process) {
        List<ProcessHandle> tree = process.descendants().toList();
        process.destroyForcibly();
        tree.forEach(ProcessHandle::destroyForcibly);
    }

    private static String said(CompletableFuture<byte[]> errors) throws InterruptedException {
        try {
            String words = new String(errors.get(GRACE_MILLIS, TimeUnit.MILLISECONDS), StandardCharsets.UTF_8)
                    .strip()
                    .replaceAll("\\s*\\R\\s*", " | ");
            if (words.isEmpty()) {
                return "";
            }
            return ": " + (words.length() > WORDS_KEPT ? words.substring(0, WORDS_KEPT) + "..." : words);
        } catch (ExecutionException | TimeoutException e) {
            return "";
        }
    }

    private List<NodeAllocationPlugin.Choice> choices(Path path, byte[] answer, AllocationQuestion question)
            throws PluginFailure {
        JsonNode root;
        try {
            root = json.readTree(answer);
        } catch (IOException e) {
            throw new PluginFailure(path + " answered something that is no JSON: " + shown(answer), e);
        }
        JsonNode nodes = root == null ? null : root.get("nodes");
        if (nodes == null || !nodes.isArray()) {
            throw new PluginFailure(path + " answered without a list \"nodes\": " + shown(answer));
        }
        List<NodeAllocationPlugin.Choice> choices = new ArrayList<>(nodes.size());
        for (JsonNode node : nodes) {
            String id = node.isTextual() ? node.asText() : node.path("node").asText();
            JsonNode tasks = node.path("tasks");
            if (id.isEmpty() || !(tasks.isMissingNode() || tasks.isInt())) {
                throw new PluginFailure(
                        path + " answered with the node " + node + "; a name, or node and tasks, is needed");
            }
            choices.add(new NodeAllocationPlugin.Choice(id, tasks.isInt() ? tasks.asInt() : room(question, id)));
        }
        return choices;
    }

    private static int room(AllocationQuestion question, String node) {
        return question.candidates().stream()
                .filter(candidate -> candidate.id().equals(node))
                .mapToInt(AllocationQuestion.Node::room)
                .findFirst()
                .orElse(1);
    }

    private static String shown(byte[] answer) {
        String text = new String(answer, StandardCharsets.UTF_8).strip();
        return text.length() > WORDS_KEPT ? text.substring(0, WORDS_KEPT) + "..." : text;
    }
}
