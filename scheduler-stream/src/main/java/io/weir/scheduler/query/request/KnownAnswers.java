package io.weir.scheduler.query.request;

import io.weir.schemas.NameValue;
import io.weir.schemas.RequestResult;
import io.weir.service.http.HttpRefusal;
import io.weir.topics.EntityKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Answers to requests, those that have come and those that are waited for. The oldest are forgotten when there are too many
 * or they take too much memory; the scheduler remembers longer. Thread-safe.
 */
final class KnownAnswers {
    private final int most;
    private final long mostCharacters;

    /** By key, the oldest first. Guarded by this. */
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /** Characters of all answers that have come. Guarded by this. */
    private long characters;

    /**
     * Remembers nothing so far.
     *
     * @param most most answers, come or not
     * @param mostCharacters most characters of all answers that have come
     */
    KnownAnswers(int most, long mostCharacters) {
        this.most = most;
        this.mostCharacters = mostCharacters;
    }

    /**
     * An answer that has come or will.
     *
     * @param fingerprint of the request it is about; 0 when that is not known
     */
    private record Entry(long fingerprint, CompletableFuture<RequestResult> answer) {
        boolean isAbout(long request) {
            return fingerprint == request || fingerprint == 0 || request == 0;
        }

        long size() {
            return come().map(KnownAnswers::charactersOf).orElse(0L);
        }

        /** Returns the answer, if it has come. */
        Optional<RequestResult> come() {
            return answer.isCompletedExceptionally() ? Optional.empty() : Optional.ofNullable(answer.getNow(null));
        }
    }

    /** Returns how much room an answer takes, in characters. */
    static long charactersOf(RequestResult result) {
        long size = 64;
        for (NameValue line : result.getDetails()) {
            size += line.getName().length() + line.getValue().length();
        }
        return size;
    }

    /**
     * What a request finds.
     *
     * @param answer comes or has come
     * @param first whether the request is still to be sent
     */
    record Expected(CompletableFuture<RequestResult> answer, boolean first) {}

    /**
     * Returns the answer to a request, which is to be sent unless it was before.
     *
     * @throws HttpRefusal when another request has the same id
     */
    synchronized Expected expect(EntityKey key, long fingerprint) {
        Entry known = entries.get(key.toString());
        if (known == null) {
            Entry entry = new Entry(fingerprint, new CompletableFuture<>());
            entries.put(key.toString(), entry);
            trim();
            return new Expected(entry.answer(), true);
        }
        if (!known.isAbout(fingerprint)) {
            throw new HttpRefusal(
                    HttpRefusal.CONFLICT,
                    "requestId was used for another request; choose one that is new, or leave it out");
        }
        return new Expected(known.answer(), false);
    }

    /**
     * Says that a request may not have been sent, because of {@code cause}, which all who wait for its answer get. If its answer
     * has come, it was sent, and the answer stays.
     *
     * @return the answer, if it has come
     */
    synchronized Optional<RequestResult> forget(EntityKey key, Throwable cause) {
        Optional<RequestResult> come = find(key);
        if (come.isEmpty()) {
            Entry known = entries.remove(key.toString());
            if (known != null) {
                known.answer().completeExceptionally(cause);
            }
        }
        return come;
    }

    /** Takes an answer; one to another request under the same id is passed over. */
    synchronized void take(RequestResult result) {
        String key = new EntityKey(result.getCluster(), result.getRequestId()).toString();
        Entry entry =
                entries.computeIfAbsent(key, unasked -> new Entry(result.getFingerprint(), new CompletableFuture<>()));
        if (entry.isAbout(result.getFingerprint()) && entry.answer().complete(result)) {
            characters += charactersOf(result);
            trim();
        }
    }

    /** Returns the answer to a request, if it has come. */
    synchronized Optional<RequestResult> find(EntityKey key) {
        Entry known = entries.get(key.toString());
        return known == null ? Optional.empty() : known.come();
    }

    /** Returns how many answers are known or waited for. */
    synchronized int size() {
        return entries.size();
    }

    private void trim() {
        Iterator<Entry> oldest = entries.values().iterator();
        while ((entries.size() > most || characters > mostCharacters) && entries.size() > 1) {
            characters -= oldest.next().size();
            oldest.remove();
        }
    }
}
