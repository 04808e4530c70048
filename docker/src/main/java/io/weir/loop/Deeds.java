package io.weir.loop;

import io.weir.loop.log.SimulatedLog;
import io.weir.loop.turn.Turns;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.NameValue;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TriggerFiring;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Does to a site what a plan says. */
final class Deeds {
    private final Site site;
    private final SimulatedLog log;
    private final Turns turns;
    private final Trace trace;
    private final AvroCodec codec;

    Deeds(Site site, Turns turns, Trace trace, AvroCodec codec) {
        this.site = site;
        this.log = site.log();
        this.turns = turns;
        this.trace = trace;
        this.codec = codec;
    }

    void enact(Deed deed) {
        trace.note(deed.toString());
        if (deed instanceof Deed.Kill kill) {
            site.kill(kill.who(), kill.calls(), kill.downMillis());
        } else if (deed instanceof Deed.Freeze freeze) {
            site.freeze(freeze.who(), freeze.calls(), freeze.millis());
        } else if (deed instanceof Deed.StepClock step) {
            site.stepClock(step.who(), step.errorMillis());
        } else if (deed instanceof Deed.TakeBrokerAway away) {
            log.awayUntil(turns.now() + away.millis() * 1_000);
        } else if (deed instanceof Deed.TakeRegistryAway away) {
            site.takeRegistryAway(away.millis());
        } else if (deed instanceof Deed.TakeMachineAway away) {
            site.troubles().takeAway(away.millis());
        } else if (deed instanceof Deed.TroubleMachine trouble) {
            site.troubles().setTrouble(trouble.percent());
        } else if (deed instanceof Deed.StartConnector start) {
            site.start(start.who());
        } else if (deed instanceof Deed.Compact compact) {
            compact(compact.tombstones());
        } else if (deed instanceof Deed.Repeat repeat) {
            repeat(repeat.topic(), repeat.count());
        } else if (deed instanceof Deed.Ask ask) {
            ask(ask.id(), ask.principal(), ask.kind(), ask.object(), ask.arguments());
        } else if (deed instanceof Deed.Call call) {
            site.clients().call(call);
        } else if (deed instanceof Deed.Crowd crowd) {
            crowd(crowd);
        } else if (deed instanceof Deed.Configure configure) {
            configure(configure.text());
        } else if (deed instanceof Deed.WriteIntoJob write) {
            site.troubles().writeIntoJob(write);
        } else if (deed instanceof Deed.FailNode fail) {
            site.troubles().failNode(fail.node(), fail.millis());
        } else if (deed instanceof Deed.Measure measure) {
            site.troubles().measure(measure);
        } else if (deed instanceof Deed.AnswerFirings answer) {
            answer(answer);
        } else if (deed instanceof Deed.Flood flood) {
            flood(flood);
        } else if (deed instanceof Deed.Tell tell) {
            tell(
                    tell.event(),
                    tell.objectType(),
                    tell.object(),
                    tell.text(),
                    tell.active(),
                    Site.CLUSTER + "/told",
                    new RecordHeaders());
        } else if (deed instanceof Deed.Inflate inflate) {
            tell(
                    "inflated",
                    "cluster",
                    Site.CLUSTER,
                    "",
                    true,
                    Site.CLUSTER + "/inflated",
                    new RecordHeaders().add("zeros", new byte[inflate.bytes()]));
        } else if (deed instanceof Deed.MeetFault) {
            tell("planted", "scheduler", Site.CLUSTER, "a fault", true, Site.PLANTED.toString(), new RecordHeaders());
        } else if (deed instanceof Deed.FailIterations fail) {
            site.scheduler().failIterations(fail.millis());
        } else if (deed instanceof Deed.Scribble scribble) {
            write(
                    scribble.topic(),
                    scribble.key().getBytes(StandardCharsets.UTF_8),
                    scribble.latin().getBytes(StandardCharsets.ISO_8859_1),
                    scribble.timestamp(),
                    new RecordHeaders());
        }
    }

    private void compact(boolean tombstones) {
        for (Topic<?> topic : Topics.all()) {
            if (topic.cleanup() == Topic.Cleanup.COMPACT) {
                log.compact(Site.NAMES.full(topic), tombstones);
            }
        }
        SiteTopics.changelogs().forEach(changelog -> log.compact(changelog, tombstones));
    }

    private void repeat(String topic, int count) {
        List<ConsumerRecord<byte[], byte[]>> records = log
                .committed(site.topics().place(topic))
                .stream()
                .filter(record -> record.key() != null
                        && EntityKey.parse(record.key()).cluster().equals(Site.CLUSTER))
                .toList();
        for (ConsumerRecord<byte[], byte[]> record :
                records.subList(Math.max(0, records.size() - count), records.size())) {
            write(topic, record.key(), record.value(), record.timestamp(), record.headers());
        }
    }

    private void flood(Deed.Flood flood) {
        for (int i = 0; i < flood.count(); i++) {
            ask(flood.id() + "-" + i, flood.principal(), flood.kind(), flood.object(), List.of(flood.argument()));
        }
    }

    private void crowd(Deed.Crowd crowd) {
        for (int i = 0; i < crowd.count(); i++) {
            site.clients()
                    .call(new Deed.Call(
                            crowd.at(),
                            crowd.id() + "-" + i,
                            crowd.principal(),
                            crowd.kind(),
                            crowd.object(),
                            List.of(crowd.argument()),
                            i % 2,
                            0));
        }
    }

    private void answer(Deed.AnswerFirings answer) {
        List<ConsumerRecord<byte[], byte[]>> firings =
                log.committed(site.topics().place(Topics.TRIGGER_FIRINGS.name()));
        for (ConsumerRecord<byte[], byte[]> record :
                firings.subList(Math.max(0, firings.size() - answer.count()), firings.size())) {
            TriggerFiring firing = codec.decode(Topics.TRIGGER_FIRINGS, record.value());
            DeliveryResult result = DeliveryResult.newBuilder()
                    .setCluster(firing.getCluster())
                    .setDeliveryId(firing.getFiringId())
                    .setChannel("exec")
                    .setOutcome(answer.outcome())
                    .setAttempts(1)
                    .setTime(Instant.ofEpochMilli(turns.wallMillis()))
                    .setKind("firing")
                    .setTriggerId(firing.getTriggerId())
                    .setCode(answer.outcome() == DeliveryOutcome.DELIVERED ? 0 : 1)
                    .setOutput(answer.output())
                    .setVariables(List.of(answer.variable()))
                    .build();
            write(
                    Topics.DELIVERY_RESULTS.name(),
                    record.key(),
                    codec.encode(Topics.DELIVERY_RESULTS, result),
                    turns.wallMillis(),
                    new RecordHeaders());
        }
    }

    private void ask(String id, String principal, RequestKind kind, String object, List<NameValue> arguments) {
        Request request = Request.newBuilder()
                .setCluster(Site.CLUSTER)
                .setRequestId(id)
                .setPrincipal(principal)
                .setKind(kind)
                .setObjectId(object)
                .setTime(Instant.ofEpochMilli(turns.wallMillis()))
                .setArguments(arguments)
                .build();
        write(
                Topics.REQUESTS.name(),
                new EntityKey(Site.CLUSTER, id).toBytes(),
                codec.encode(Topics.REQUESTS, request),
                turns.wallMillis(),
                new RecordHeaders());
    }

    private void configure(String text) {
        String version = sha256(text);
        PolicyVersion policy = PolicyVersion.newBuilder()
                .setCluster(Site.CLUSTER)
                .setVersion(version)
                .setText(text)
                .setTime(Instant.ofEpochMilli(turns.wallMillis()))
                .build();
        write(
                Topics.POLICY.name(),
                new EntityKey(Site.CLUSTER, version).toBytes(),
                codec.encode(Topics.POLICY, policy),
                turns.wallMillis(),
                new RecordHeaders());
    }

    private void tell(
            String name, String objectType, String object, String text, boolean active, String key, Headers headers) {
        Instant now = Instant.ofEpochMilli(turns.wallMillis());
        GenericEvent event =
                new GenericEvent(Site.CLUSTER, name, objectType, object, text, now, "outside", active, null);
        write(
                Topics.MONITORING_EVENTS.name(),
                key.getBytes(StandardCharsets.UTF_8),
                codec.encode(Topics.MONITORING_EVENTS, event),
                now.toEpochMilli(),
                headers);
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private void write(String topic, byte[] key, byte[] value, long timestamp, Headers headers) {
        log.append(site.topics().place(topic), timestamp, key, value, headers);
    }
}
