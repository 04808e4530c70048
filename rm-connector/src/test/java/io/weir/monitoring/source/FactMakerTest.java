package io.weir.monitoring.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.monitoring.format.Formats;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.NodeMetric;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FactMakerTest {

    private static final Instant NOW = Instant.parse("2026-03-02T00:00:00Z");

    static FactMaker maker() {
        return maker(List.of(), List.of());
    }

    private static FactMaker maker(List<String> metrics, List<String> events) {
        return new FactMaker(
                "tiny",
                "monitoring",
                new NodeNames(List.of("host", "hostname", "instance"), false),
                NameRules.parse("source.metrics", metrics),
                NameRules.parse("source.events", events));
    }

    @Test
    void shouldTakeAndNameWhatTheRulesSay() {
        Facts facts = make(
                maker(List.of("temp=celsius", "cpu_*"), List.of()),
                "influx",
                "temp,host=n1 value=1\ncpu,host=n1 idle=2,user=3\nmem,host=n1 free=4");

        assertThat(facts.metrics())
                .extracting(NodeMetric::getMetric)
                .containsExactly("celsius", "cpu_idle", "cpu_user");
        assertThat(facts.counts()).isEqualTo(Map.of(Matching.MATCHED, 3, Matching.NOT_TAKEN, 1));
        for (String wrong : List.of(
                "=x",
                "x=",
                "a*=b",
                " ",
                "{a=b}",
                "x{a}",
                "x{a=}",
                "x{}",
                "x{a=b",
                "x{a=b;a=c}",
                "x={a",
                "x=a}",
                "x{a=b;}=c")) {
            assertThatThrownBy(() -> NameRules.parse("source.metrics", List.of(wrong)))
                    .isInstanceOf(ConfigException.class);
        }
    }

    @Test
    void shouldTellMeasurementsApartByTheirLabels() {
        Facts facts = make(
                maker(
                        List.of(
                                "cpu_usage_idle{cpu=cpu-total}=idle",
                                "temp{kind=board;sensor=inlet*}",
                                "temp{kind=disk}=temp.{device}",
                                "fan=fan_{name}"),
                        List.of()),
                "influx",
                """
                cpu,host=n1,cpu=cpu0 usage_idle=1
                cpu,host=n1,cpu=cpu-total usage_idle=2
                temp,host=n1,kind=board,sensor=inlet3 value=3
                temp,host=n1,kind=board,sensor=outlet value=4
                temp,host=n1,kind=disk,device=/dev/sd\\ a value=5
                temp,host=n1,kind=disk value=6
                fan,host=n1,name=$1 value=7
                fan,host=n1 value=8
                """);

        assertThat(facts.metrics())
                .extracting(NodeMetric::getMetric, NodeMetric::getValue)
                .containsExactly(
                        org.assertj.core.api.Assertions.tuple("idle", 2.0),
                        org.assertj.core.api.Assertions.tuple("temp", 3.0),
                        org.assertj.core.api.Assertions.tuple("temp._dev_sd_a", 5.0),
                        org.assertj.core.api.Assertions.tuple("fan__1", 7.0));
        assertThat(facts.counts()).isEqualTo(Map.of(Matching.MATCHED, 4, Matching.NOT_TAKEN, 4));
    }

    @Test
    void shouldTellAlertsApartByTheirLabels() {
        String alert = """
                {"version":"4","alerts":[{"status":"firing","labels":{"alertname":"Disk","instance":"n1:9100",
                 "severity":"%s","device":"sda"},"startsAt":"2026-03-01T10:00:00Z"}]}""";
        FactMaker maker = maker(List.of(), List.of("Disk{severity=critical}=diskfail_{device}", "Disk{severity=info}"));

        assertThat(List.of("critical", "warning", "info"))
                .flatExtracting(severity ->
                        make(maker, "alertmanager", alert.formatted(severity)).events())
                .extracting(GenericEvent::getName)
                .containsExactly("diskfail_sda", "Disk");
    }

    @ParameterizedTest
    @CsvSource({
        "n1,n1",
        "n1.example.org,n1",
        "n1.example.org:9100,n1",
        "n1:9100,n1",
        "10.0.0.7:9100,10.0.0.7",
        "[2001:db8::7]:9100,2001:db8::7",
        "2001:db8::7,2001:db8::7"
    })
    void shouldFindTheNodeWithoutPortAndDomain(String instance, String node) {
        assertThat(new NodeNames(List.of("host", "instance"), false).of(Map.of("instance", instance)))
                .contains(node);
    }

    @Test
    void shouldCountWhatItCannotMatch() {
        Facts facts = make(
                maker(),
                "influx",
                "temp value=1\n"
                        + "temp,host=n1 value=1e16\n"
                        + "temp,host=n1 value=NaN\n"
                        + "rubbish\n"
                        + "temp,host=n1 value=2 4102444801\n"
                        + "temp,host=n1 text=\"a b=c,d\",value=3");

        assertThat(facts.counts())
                .isEqualTo(Map.of(
                        Matching.MATCHED, 1, Matching.NO_NODE, 1, Matching.OUT_OF_BOUNDS, 2, Matching.UNREADABLE, 2));
        assertThat(facts.reason()).contains("NaN");
        assertThat(facts.metrics()).extracting(NodeMetric::getTime).containsExactly(NOW);
    }

    @Test
    void shouldTellAnAlertOnceAndAgainWhenItChanges() {
        FactMaker maker = maker(List.of(), List.of("Hot=hitemp"));
        String firing = alert("firing", "2026-03-01T10:00:00Z");
        String resolved = alert("resolved", "2026-03-01T11:00:00Z");

        assertThat(make(maker, "alertmanager", firing).events()).hasSize(1);
        assertThat(make(maker, "alertmanager", firing).counts()).isEqualTo(Map.of(Matching.REPEATED, 1));
        Facts over = make(maker, "alertmanager", resolved);
        assertThat(over.events())
                .extracting(GenericEvent::getName, GenericEvent::getActive)
                .containsExactly(org.assertj.core.api.Assertions.tuple("hitemp", false));
        assertThat(make(maker, "alertmanager", alert("firing", "2026-03-01T12:00:00Z"))
                        .events())
                .extracting(GenericEvent::getActive)
                .containsExactly(true);
        maker.forget();
        assertThat(make(maker, "alertmanager", resolved).events()).hasSize(1);
    }

    @Test
    void shouldEndAnEventWithTheLastAlertOfItsNameOnTheNode() {
        FactMaker maker = maker();
        String began = "2026-03-01T10:00:00Z";
        String ended = "2026-03-01T11:00:00Z";

        make(maker, "alertmanager", disk("firing", "/", began));
        make(maker, "alertmanager", disk("firing", "/scratch", began));
        Facts first = make(maker, "alertmanager", disk("resolved", "/", ended));
        assertThat(first.events()).isEmpty();
        assertThat(first.counts()).isEqualTo(Map.of(Matching.REPEATED, 1));
        assertThat(make(maker, "alertmanager", disk("resolved", "/scratch", ended))
                        .events())
                .extracting(GenericEvent::getName, GenericEvent::getActive)
                .containsExactly(org.assertj.core.api.Assertions.tuple("DiskFull", false));
    }

    @Test
    void shouldEndAnEventWithACloudEventWhateverItsId() {
        FactMaker maker = maker();
        String event = """
                {"specversion":"1.0","type":"hot","source":"/bmc","id":"%s","subject":"n1",
                 "time":"2026-03-01T10:00:00Z","data":{"active":%s}}""";

        make(maker, "cloudevents", event.formatted("7", true));
        make(maker, "cloudevents", event.formatted("8", true));
        assertThat(make(maker, "cloudevents", event.formatted("9", false)).events())
                .extracting(GenericEvent::getActive)
                .containsExactly(false);
    }

    @Test
    void shouldForgetActiveAlertsWithTheOldest() {
        AlertStates states = new AlertStates();
        Instant since = Instant.parse("2026-03-01T10:00:00Z");
        states.isNew("hot", "n0", "a", true, true, since);
        assertThat(states.isActive("hot", "n0")).isTrue();
        for (int i = 0; i < 100_000; i++) {
            states.isNew("hot", "n1", "f" + i, true, true, since);
        }
        assertThat(states.isActive("hot", "n0")).isFalse();
        assertThat(states.isActive("hot", "n1")).isTrue();
    }

    private static String disk(String status, String mount, String time) {
        return """
                {"version":"4","alerts":[{"status":"%s","labels":{"alertname":"DiskFull","instance":"n1:9100",
                 "mountpoint":"%s"},"startsAt":"2026-03-01T10:00:00Z","endsAt":"%s"}]}""".formatted(status, mount, time);
    }

    @Test
    void shouldTellTheSameFingerprintOfTwoNodesTwice() {
        FactMaker maker = maker();
        String event =
                "{\"specversion\":\"1.0\",\"type\":\"hot\",\"source\":\"/%1$s\",\"id\":\"7\",\"subject\":\"%1$s\","
                        + "\"time\":\"2026-03-01T10:00:00Z\"}";

        assertThat(make(maker, "cloudevents", event.formatted("n1")).events()).hasSize(1);
        assertThat(make(maker, "cloudevents", event.formatted("n2")).events())
                .extracting(GenericEvent::getObjectId)
                .containsExactly("n2");
        assertThat(make(maker, "cloudevents", event.formatted("n1")).counts()).isEqualTo(Map.of(Matching.REPEATED, 1));
    }

    @Test
    void shouldRememberLongFingerprintsInLittleRoom() {
        AlertStates states = new AlertStates();
        Instant since = Instant.parse("2026-03-01T10:00:00Z");
        for (int i = 0; i < 100; i++) {
            assertThat(states.isNew("hot", "n1", i + "x".repeat(1 << 20), true, true, since))
                    .isTrue();
        }

        assertThat(states.isNew("hot", "n1", 7 + "x".repeat(1 << 20), true, true, since))
                .isFalse();
        assertThat(states.isNew("hot", "n1", 7 + "x".repeat(1 << 20), true, false, since))
                .isTrue();
        assertThat(states.characters()).isLessThan(100 * 1_024);
    }

    @Test
    void shouldCutAMessageBetweenCharacters() {
        String fire = new String(Character.toChars(0x1F525));
        Facts facts = make(
                maker(),
                "alertmanager",
                alert("firing", "2026-03-01T10:00:00Z")
                        .replace(
                                "\"fingerprint\"",
                                "\"annotations\":{\"summary\":\"x" + fire.repeat(4_000) + "\"},\"fingerprint\""));

        String message = String.valueOf(facts.events().get(0).getMessage());
        assertThat(message).hasSize(4_095).endsWith(fire);
    }

    private static String alert(String status, String time) {
        return "{\"version\":\"4\",\"alerts\":[{\"status\":\"" + status
                + "\",\"labels\":{\"alertname\":\"Hot\",\"host\":\"n1\"},\"startsAt\":\"" + time + "\",\"endsAt\":\""
                + time
                + "\",\"fingerprint\":\"f\"}]}";
    }

    private static Facts make(FactMaker maker, String format, String message) {
        return maker.make(Formats.named(format).orElseThrow().read(message.getBytes(StandardCharsets.UTF_8)), NOW);
    }
}
