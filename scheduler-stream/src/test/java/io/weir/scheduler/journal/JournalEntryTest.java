package io.weir.scheduler.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class JournalEntryTest {
    private static final byte[] KEY = "alpha/j1".getBytes(StandardCharsets.UTF_8);
    private static final byte[] VALUE = {0, 0, 0, 0, 7, 1, 2, 3};

    @Test
    void shouldComeBackFromItsRecordWithHeadersAsReceived() {
        Headers received = new RecordHeaders()
                .add("weir-seq", new byte[] {'4'})
                .add("weir-kind", new byte[] {'x'})
                .add("trace", null);
        Input input = new Input("rm.jobs", 3, 42, 1_000, received, KEY, VALUE);
        JournalEntry entry = new JournalChain("alpha").append(input);

        JournalEntry parsed = JournalEntry.parse(entry.toHeaders(), KEY, VALUE).orElseThrow();

        assertThat(parsed.sequence()).isEqualTo(1);
        assertThat(parsed.digest()).isEqualTo(entry.digest());
        assertThat(parsed.input().toString()).isEqualTo("rm.jobs-3@42");
        assertThat(parsed.input().timestamp()).isEqualTo(1_000);
        assertThat(parsed.input().key()).isEqualTo(KEY);
        assertThat(parsed.input().value()).isEqualTo(VALUE);
        assertThat(parsed.input().headers()).isEqualTo(received);
    }

    @Test
    void shouldNotBeReadFromOtherHeaders() {
        assertThat(JournalEntry.parse(new RecordHeaders(), KEY, VALUE)).isEmpty();
        Headers headers = new JournalChain("alpha").append(input(VALUE)).toHeaders();
        headers.remove("weir-source-offset").add("weir-source-offset", new byte[] {'?'});
        assertThat(JournalEntry.parse(headers, KEY, VALUE)).isEmpty();
    }

    @Test
    void shouldDigestEverythingButTheSchemaId() {
        byte[] previous = new byte[Sha256.LENGTH];
        Headers header = new RecordHeaders().add("a", new byte[] {1});
        Map<String, byte[]> digests = new LinkedHashMap<>();
        digests.put("itself", InputDigest.next(previous, 1, input(VALUE)));
        digests.put("sequence", InputDigest.next(previous, 2, input(VALUE)));
        digests.put("previous", InputDigest.next(Sha256.of(previous), 1, input(VALUE)));
        digests.put("payload", InputDigest.next(previous, 1, input(new byte[] {0, 0, 0, 0, 7, 1, 2, 4})));
        digests.put("topic", InputDigest.next(previous, 1, new Input("rm.node", 0, 1, 5, none(), KEY, VALUE)));
        digests.put("partition", InputDigest.next(previous, 1, new Input("rm.jobs", 1, 1, 5, none(), KEY, VALUE)));
        digests.put("offset", InputDigest.next(previous, 1, new Input("rm.jobs", 0, 2, 5, none(), KEY, VALUE)));
        digests.put("timestamp", InputDigest.next(previous, 1, new Input("rm.jobs", 0, 1, 6, none(), KEY, VALUE)));
        digests.put("headers", InputDigest.next(previous, 1, new Input("rm.jobs", 0, 1, 5, header, KEY, VALUE)));
        digests.put("key", InputDigest.next(previous, 1, new Input("rm.jobs", 0, 1, 5, none(), VALUE, VALUE)));

        assertThat(digests.values().stream().map(Sha256::hex)).doesNotHaveDuplicates();
        assertThat(InputDigest.next(previous, 1, input(new byte[] {0, 9, 9, 9, 9, 1, 2, 3})))
                .isEqualTo(digests.get("itself"));
    }

    @Test
    void shouldGoOnFromAStatusAsIfNothingHadHappened() {
        JournalChain through = new JournalChain("alpha");
        through.append(input(VALUE));
        JournalChain resumed = new JournalChain(through.status());

        assertThat(resumed.append(input(KEY)).digest())
                .isEqualTo(through.append(input(KEY)).digest());
        assertThat(resumed.status()).isEqualTo(through.status());
    }

    private static Input input(byte[] value) {
        return new Input("rm.jobs", 0, 1, 5, none(), KEY, value);
    }

    private static Headers none() {
        return new RecordHeaders();
    }
}
