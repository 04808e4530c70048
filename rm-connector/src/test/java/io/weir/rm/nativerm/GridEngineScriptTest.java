package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.nativerm.text.JobTextAttributes;
import io.weir.rm.nativerm.text.Problems;
import io.weir.rm.nativerm.text.TextObject;
import io.weir.rm.nativerm.text.TextReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the Grid Engine script of jobs makes of answers that no cell of a test gives. */
class GridEngineScriptTest {
    @TempDir
    private Path directory;

    /** Users and groups of a directory service are of any characters. */
    @Test
    void shouldTellNamesOfAnyCharactersAsTheyAre() throws IOException, InterruptedException {
        qstat("""
                #!/bin/sh
                case "$*" in
                *"-g t -xml"*) cat <<'X'
                <job_list state="pending">
                <JB_job_number>7</JB_job_number>
                <JB_name>sleep</JB_name>
                <JB_owner>R&amp;D\\anna "b;x</JB_owner>
                <state>hqw</state>
                <JB_submission_time>2026-11-28T05:00:00</JB_submission_time>
                <slots>2</slots>
                </job_list>
                X
                ;;
                *"-j * -xml"*) cat <<'X'
                <JB_job_number>7</JB_job_number>
                <JB_submission_time>1795840000</JB_submission_time>
                <JB_group>domain users</JB_group>
                <JB_project>it&apos;s;STATE=Running</JB_project>
                X
                ;;
                esac
                """);
        Path accounting = Files.writeString(
                directory.resolve("accounting"),
                "all.q:n1:domain users:CORP\\anna:x:6:sge:0:5:6:"
                        + Instant.now().getEpochSecond() + ":0:0" + ":0".repeat(21) + ":1" + ":0".repeat(9) + "\n");

        Problems problems = new Problems();
        TextReader reader = new TextReader(JobTextAttributes.VOCABULARY, problems);
        reader.read("jobs.sh", jobs(accounting));

        assertThat(problems.count()).isZero();
        List<TextObject> read = List.copyOf(reader.objects());
        assertThat(read).extracting(TextObject::id).containsExactly("6", "7");
        assertThat(read.get(0).get(JobTextAttributes.UNAME)).isEqualTo("CORP\\anna");
        assertThat(read.get(0).get(JobTextAttributes.GNAME)).isEqualTo("domain users");
        assertThat(read.get(1).get(JobTextAttributes.UNAME)).isEqualTo("R&D\\anna \"b;x");
        assertThat(read.get(1).get(JobTextAttributes.GNAME)).isEqualTo("domain users");
        assertThat(read.get(1).get(JobTextAttributes.ACCOUNT)).isEqualTo("it's;STATE=Running");
        assertThat(read.get(1).get(JobTextAttributes.TASKS)).isEqualTo(2);
    }

    private void qstat(String script) throws IOException {
        assertThat(Files.writeString(directory.resolve("qstat"), script)
                        .toFile()
                        .setExecutable(true))
                .isTrue();
    }

    private String jobs(Path accounting) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                "sh",
                Path.of("src/main/scripts/gridengine/jobs.sh").toAbsolutePath().toString());
        builder.environment().merge("PATH", directory.toString(), (path, first) -> first + ":" + path);
        builder.environment().put("GE_ACCOUNTING", accounting.toString());
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
