package io.weir.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpReplyTest {
    private static final String LONG = "{\"jobId\":\"17\"}".repeat(20_000);

    private final HttpReply reply = HttpReply.text(HttpReply.OK, HttpReply.JSON, LONG);

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate, GZIP;q=0.5", "br;q=1.0, gzip"})
    void shouldCompressALongAnswer(String accepted) throws IOException {
        HttpReply compressed = reply.compressedFor(accepted);

        assertThat(compressed.headers()).containsEntry("Content-Encoding", "gzip");
        assertThat(compressed.body().remaining()).isLessThan(LONG.length() / 10);
        try (GZIPInputStream in =
                new GZIPInputStream(new ByteArrayInputStream(compressed.body().array()))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(LONG);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "identity", "gzip;q=0", "gzip; q=0.000", "xgzip"})
    void shouldLeaveItAsItIsForOthers(String accepted) {
        assertThat(reply.compressedFor(accepted)).isSameAs(reply);
    }

    @Test
    void shouldNotCompressAShortAnswer() {
        HttpReply small = HttpReply.text(HttpReply.OK, HttpReply.JSON, "{}");

        assertThat(small.compressedFor("gzip")).isSameAs(small);
    }
}
