package io.weir.loop.judge;

import io.weir.scheduler.core.request.form.NormalRequest;
import io.weir.scheduler.core.request.form.RequestSubject;
import io.weir.scheduler.core.request.form.UnreadableRequestException;
import io.weir.scheduler.core.state.PendingRequests;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.Iteration;
import io.weir.schemas.Notification;
import io.weir.schemas.Request;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every record when it is committed. While it runs: iterations and the journal of a cluster follow one another
 * without a gap or a repetition; so do commands, and no id is given twice.
 */
public final class CommittedRecords {
    private final AvroCodec codec;
    private final TopicNames names;
    private final Charges charges;
    private final ReplacementJudge replacements;
    private final Map<String, Long> iterations = new HashMap<>();
    private final Map<String, Long> sequences = new HashMap<>();
    private final Map<String, Long> commandNumbers = new HashMap<>();
    private final Set<String> commandIds = new HashSet<>();

    /** Ids of firings and charges. */
    private final Set<String> onceOnly = new HashSet<>();

    /** How often each request was written, by key; what intake could not take is not in it. */
    private final Map<String, Integer> requests = new TreeMap<>();

    /** A place on a topic. */
    private record Place(int partition, long offset) {}

    /** Which request lies where, for what becomes a dead letter. */
    private final Map<Place, String> requestPlaces = new HashMap<>();

    private final Map<String, Integer> answers = new TreeMap<>();

    /** Fingerprints of the requests that change something, by key. */
    private final Map<String, Set<Long>> changes = new HashMap<>();

    /** The first answer to each of them, by key and fingerprint. */
    private final Map<String, RequestResult> firstAnswers = new HashMap<>();

    /** Place of each notification, by id. */
    private final Map<String, Place> notifications = new TreeMap<>();

    private final Map<String, DeliveryOutcome> deliveries = new TreeMap<>();

    /** Creates a judge that adds to {@code charges}. */
    public CommittedRecords(AvroCodec codec, TopicNames names, Charges charges) {
        this.codec = codec;
        this.names = names;
        this.charges = charges;
        this.replacements = new ReplacementJudge(charges);
    }

    /** Returns the judge that knows of all commands so far. */
    public ReplacementJudge replacements() {
        return replacements;
    }

    /** Takes a record that was just committed. */
    public void committed(ConsumerRecord<byte[], byte[]> record) {
        Topic<?> topic = names.topic(record.topic()).orElse(null);
        if (topic == null) {
            return;
        }
        if (topic.equals(Topics.JOURNAL)) {
            journal(record);
        } else if (topic.equals(Topics.COMMANDS)) {
            decode(Topics.COMMANDS, record).ifPresent(this::command);
        } else if (topic.equals(Topics.REQUESTS)) {
            decode(Topics.REQUESTS, record).ifPresent(request -> request(request, place(record)));
        } else if (topic.equals(Topics.REQUEST_RESULTS)) {
            decode(Topics.REQUEST_RESULTS, record).ifPresent(this::answer);
        } else if (topic.equals(Topics.NOTIFICATIONS)) {
            decode(Topics.NOTIFICATIONS, record).ifPresent(notification -> notification(notification, place(record)));
        } else if (topic.equals(Topics.TRIGGER_FIRINGS)) {
            decode(Topics.TRIGGER_FIRINGS, record).ifPresent(firing -> once("firings", firing.getFiringId()));
        } else if (topic.equals(Topics.CHARGES)) {
            decode(Topics.CHARGES, record).ifPresent(charge -> once("charges", charge.getChargeId()));
        } else if (topic.equals(Topics.DELIVERY_RESULTS)) {
            decode(Topics.DELIVERY_RESULTS, record).ifPresent(this::delivered);
        } else if (topic.equals(Topics.DEAD_LETTERS)) {
            decode(Topics.DEAD_LETTERS, record).ifPresent(this::deadLetter);
        }
    }

    private void journal(ConsumerRecord<byte[], byte[]> record) {
        String kind = FactHeaders.KIND.get(record.headers()).orElse("");
        if (kind.equals(FactHeaders.KIND_ITERATION)) {
            Optional<Iteration> iteration = decode(Topics.JOURNAL, record);
            if (iteration.isEmpty()) {
                charges.add("journal", "an iteration at offset " + record.offset() + " cannot be read");
                return;
            }
            follows(
                    "iteration",
                    iterations,
                    iteration.get().getCluster(),
                    iteration.get().getNumber());
        } else if (kind.equals(FactHeaders.KIND_INPUT)) {
            String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
            String cluster = key.contains("/") ? key.substring(0, key.indexOf('/')) : key;
            follows(
                    "journal",
                    sequences,
                    cluster,
                    FactHeaders.JOURNAL_SEQUENCE.get(record.headers()).orElse(-1));
        }
    }

    private void command(RmCommand command) {
        String connector = command.getCluster() + "/" + command.getConnector();
        follows("commands", commandNumbers, connector, command.getNumber());
        replacements.command(command);
        if (!commandIds.add(command.getCommandId())) {
            charges.add("commands", "id " + command.getCommandId() + " was given twice");
        }
    }

    private void follows(String what, Map<String, Long> last, String of, long number) {
        @Nullable Long before = last.put(of, number);
        if (number != (before == null ? 0 : before) + 1) {
            charges.add(what, "number " + number + " of " + of + " follows " + before);
        }
    }

    private static Place place(ConsumerRecord<?, ?> record) {
        return new Place(record.partition(), record.offset());
    }

    private void request(Request request, Place place) {
        String key = request.getCluster() + "/" + request.getRequestId();
        requests.merge(key, 1, Integer::sum);
        requestPlaces.put(place, key);
        if (!RequestSubject.of(request.getKind()).isQuestion()) {
            fingerprint(request)
                    .ifPresent(print -> changes.computeIfAbsent(key, unseen -> new HashSet<>())
                            .add(print));
        }
    }

    /** Returns the fingerprint of a request; empty when it has no normal form. */
    private static OptionalLong fingerprint(Request request) {
        try {
            return OptionalLong.of(NormalRequest.of(request.getKind(), request.getObjectId(), request.getArguments())
                    .fingerprint(request.getPrincipal()));
        } catch (UnreadableRequestException e) {
            return OptionalLong.empty();
        }
    }

    private void answer(RequestResult result) {
        String key = result.getCluster() + "/" + result.getRequestId();
        answers.merge(key, 1, Integer::sum);
        if (changes.getOrDefault(key, Set.of()).contains(result.getFingerprint())) {
            RequestResult first = firstAnswers.putIfAbsent(key + " " + result.getFingerprint(), result);
            if (first != null && !first.equals(result)) {
                charges.add("requests", key + " has two answers: " + first + " and " + result);
            }
        }
    }

    private void notification(Notification notification, Place place) {
        if (notifications.put(notification.getNotificationId(), place) != null) {
            charges.add("notifications", "id " + notification.getNotificationId() + " was given twice");
        }
    }

    private void once(String what, String id) {
        if (!onceOnly.add(what + " " + id)) {
            charges.add(what, "id " + id + " was given twice");
        }
    }

    private void delivered(DeliveryResult result) {
        if (!result.getKind().equals("notification")) {
            return;
        }
        if (!notifications.containsKey(result.getDeliveryId())) {
            charges.add("notifications", "id " + result.getDeliveryId() + " was delivered and never put out");
        }
        if (deliveries.put(result.getDeliveryId(), result.getOutcome()) != null) {
            charges.add("notifications", "id " + result.getDeliveryId() + " has two results");
        }
    }

    private void deadLetter(DeadLetter letter) {
        @Nullable
        String request = letter.getTopic().equals(Topics.REQUESTS.name())
                ? requestPlaces.get(new Place(letter.getPartition(), letter.getOffset()))
                : null;
        if (request != null) {
            requests.merge(request, -1, Integer::sum);
        }
    }

    private <T extends SpecificRecord> Optional<T> decode(Topic<T> topic, ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(codec.decode(topic, record.value()));
        } catch (PoisonRecordException e) {
            return Optional.empty();
        }
    }

    /** Returns the number of the last iteration of {@code cluster}; 0 before the first. */
    public long iteration(String cluster) {
        return iterations.getOrDefault(cluster, 0L);
    }

    /** Returns what became of the notifications that were seen to, by id. */
    public Map<String, DeliveryOutcome> deliveries() {
        return Collections.unmodifiableMap(deliveries);
    }

    /** Says whether a command of this id was put out. */
    public boolean isCommand(String id) {
        return commandIds.contains(id);
    }

    /** Says whether the request of this key and fingerprint was carried out. */
    public boolean isCarriedOut(String key, long fingerprint) {
        RequestResult first = firstAnswers.get(key + " " + fingerprint);
        return first != null && first.getOutcome() == RequestOutcome.ACCEPTED;
    }

    /** Says whether a request was not answered as often as it was written. */
    public boolean isAnswerDue() {
        return requests.entrySet().stream()
                .anyMatch(request -> request.getValue() > answers.getOrDefault(request.getKey(), 0));
    }

    /** Judges what has to be complete by now; notifications up to {@code delivered}, by partition, were seen to. */
    public void finish(Map<Integer, Long> delivered) {
        notifications.forEach((id, place) -> {
            if (place.offset() < delivered.getOrDefault(place.partition(), 0L) && !deliveries.containsKey(id)) {
                charges.add("notifications", "id " + id + " was passed over: it has no result");
            }
        });
        requests.forEach((key, written) -> {
            int answered = answers.getOrDefault(key, 0);
            if (answered != written) {
                charges.add("requests", key + " was written " + written + " times and answered " + answered + " times");
            }
        });
        answers.keySet().forEach(key -> {
            boolean own = EntityKey.parse(key.getBytes(StandardCharsets.UTF_8))
                    .entity()
                    .startsWith(PendingRequests.OWN);
            if (!requests.containsKey(key) && !own) {
                charges.add("requests", key + " was answered and never asked");
            }
        });
    }
}
