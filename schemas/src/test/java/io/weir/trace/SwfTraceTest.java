package io.weir.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class SwfTraceTest {
    private static final String TRACE = """
            ; Version: 2.2
            ; UnixStartTime: 843480031
            1 0 5 100 4 -1 -1 8 200 -1 1 3 4 -1 1 -1 -1 -1
            2 10 5 0 4 31.69 -1 -1 -1 -1 1 3 4 -1 1 -1 -1 -1
            3 10 5 100 0 -1 -1 -1 200 -1 1 3 4 -1 1 -1 -1 -1
            4 10 5 100 17 -1 -1 -1 200 -1 1 3 4 -1 1 -1 -1 -1
            5 10 5 -1 4 -1 -1 -1 200 -1 1 3 4 -1 1 -1 -1 -1
            6 9 5 300 4 -1 -1 -1 200
            6 9 5 300.9 4
            7 9
            8 nine 5 300 4
            """;

    @Test
    void shouldTakeTheJobViewOfOddLines() throws IOException {
        SwfTrace trace = SwfTrace.read(stream(TRACE.getBytes(StandardCharsets.US_ASCII)), 16);

        assertThat(trace.start()).isEqualTo(843480031);
        assertThat(trace.jobs())
                .containsExactly(
                        new TraceJob("1", 1, 0, 0, 8, 200, 100, 3, 4, 1),
                        new TraceJob("6", 6, 2, 9, 4, 200, 300, -1, -1, -1),
                        new TraceJob("6.2", 6, 3, 9, 4, 300, 300, -1, -1, -1),
                        new TraceJob("2", 2, 1, 10, 4, 1, 1, 3, 4, 1));
        assertThat(trace.jobs().get(1).occupied()).isEqualTo(200);
        assertThat(trace.leftOut()).isEqualTo(3);
        assertThat(trace.problems())
                .satisfiesExactly(
                        p -> assertThat(p).startsWith("line 10: 2 fields"),
                        p -> assertThat(p).startsWith("line 11: not a number").contains("nine"));
    }

    @Test
    void shouldReadNumbersHoweverTheyAreWritten() throws IOException {
        String trace = """
                1 +7 -1 010 1
                2 -0 -1 1e1 1.9
                3 \t 99.99 -1 10. 0000000000001
                4 8 -1 10 1 -1 -1 -1 00000000200
                5 8 -1 10 1 -1 -1 -1 - 3
                6 99999999999999999999 -1 10 1
                """;

        SwfTrace read = SwfTrace.read(stream(trace.getBytes(StandardCharsets.US_ASCII)), 16);

        assertThat(read.jobs())
                .extracting(TraceJob::id, TraceJob::submit, TraceJob::run, TraceJob::procs, TraceJob::estimate)
                .containsExactly(
                        tuple("2", 0L, 10L, 1, 10L),
                        tuple("1", 7L, 10L, 1, 10L),
                        tuple("4", 8L, 10L, 1, 200L),
                        tuple("3", 99L, 10L, 1, 10L));
        assertThat(read.problems())
                .satisfiesExactly(
                        p -> assertThat(p).startsWith("line 5: not a number ('-')"),
                        p -> assertThat(p).startsWith("line 6: beyond 100000000000"));
    }

    @Test
    void shouldReportNumbersNoTraceCanMean() throws IOException {
        String trace = """
                ; UnixStartTime: soon
                1 9223372036854775807 -1 10 1
                2 0 -1 1e999 1
                3 0 -1 NaN 1
                # no comment of this format
                4 0 -1 1d 1
                5 1e2 -1 10.5 1\r
                6 0 -1 \u0007 1
                """;

        SwfTrace read = SwfTrace.read(stream(trace.getBytes(StandardCharsets.ISO_8859_1)), 16);

        assertThat(read.jobs()).extracting(TraceJob::id, TraceJob::submit).containsExactly(tuple("5", 100L));
        assertThat(read.problems())
                .containsExactly(
                        "line 1: UnixStartTime: not a number ('soon'): ; UnixStartTime: soon",
                        "line 2: beyond 100000000000 ('9223372036854775807'): 1 9223372036854775807 -1 10 1",
                        "line 3: beyond 100000000000 ('1e999'): 2 0 -1 1e999 1",
                        "line 4: not a number ('NaN'): 3 0 -1 NaN 1",
                        "line 5: not a number ('#'): # no comment of this format",
                        "line 6: not a number ('1d'): 4 0 -1 1d 1",
                        "line 8: not a number ('?'): 6 0 -1 ? 1");
    }

    /** What no resource manager may report is no job for an offline run either. */
    @Test
    void shouldReportJobsThatCannotBeScheduled() throws IOException {
        String trace = """
                ; UnixStartTime: 4102444000
                1 0 -1 100 2 -1 -1 2 100
                2 0 -1 1000 4 -1 -1 4 1000
                3 900 -1 10 4 -1 -1 4 10
                4 0 -1 100 2 -1 -1 2 3162240001
                5 -4102444001 -1 100 2
                """;

        SwfTrace read = SwfTrace.read(stream(trace.getBytes(StandardCharsets.US_ASCII)), 16);

        assertThat(read.jobs()).extracting(TraceJob::id).containsExactly("1");
        assertThat(read.problems())
                .containsExactly(
                        "line 3: submitted at 2099-12-31T23:46:40Z for 1000 s; it has to be over before 2100:"
                                + " 2 0 -1 1000 4 -1 -1 4 1000",
                        "line 4: submitted at 2100-01-01T00:01:40Z for 10 s; it has to be over before 2100:"
                                + " 3 900 -1 10 4 -1 -1 4 10",
                        "line 5: limit of 3162240001 s; at most 3162240000 are allowed: 4 0 -1 100 2 -1 -1 2 3162240001",
                        "line 6: submitted at 1969-12-31T23:59:59Z, before 1970: 5 -4102444001 -1 100 2");
    }

    @Test
    void shouldReadTheFirstLineBehindAByteOrderMark() throws IOException {
        byte[] text = "\uFEFF1 0 -1 100 2 -1 -1 2 100\n".getBytes(StandardCharsets.UTF_8);

        assertThat(SwfTrace.read(stream(text), 16).jobs())
                .extracting(TraceJob::id)
                .containsExactly("1");
    }

    @Test
    void shouldNameUsersGroupsAndClassesByTheirNumbers() {
        TraceJob known = new TraceJob("1.2", 1, 0, 0, 1, 1, 1, 3, 0, 7);
        TraceJob unknown = new TraceJob("1", 1, 0, 0, 1, 1, 1, -1, -1, -1);

        assertThat(known.jobName()).isEqualTo("job1.2");
        assertThat(known.userName()).isEqualTo("u3");
        assertThat(known.groupName()).isEqualTo("g0");
        assertThat(known.className()).isEqualTo("q7");
        assertThat(unknown.userName()).isNull();
        assertThat(unknown.groupName()).isNull();
        assertThat(unknown.className()).isNull();
    }

    @Test
    void shouldReadGzipAndTakeAWindowInQueueOrder() throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(TRACE.getBytes(StandardCharsets.US_ASCII));
        }

        SwfTrace trace = SwfTrace.read(stream(zipped.toByteArray()), 16);

        assertThat(trace.window(1, 2)).extracting(TraceJob::id).containsExactly("6", "6.2");
        assertThat(trace.window(3, 10)).extracting(TraceJob::id).containsExactly("2");
        assertThat(trace.window(9, 10)).isEmpty();
    }

    private static InputStream stream(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }
}
