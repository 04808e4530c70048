package io.weir.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code bin/weir} on a build that is made up, with a java that only writes down how it was called. */
class LauncherScriptTest {
    private static final String JAVA = """
            #!/bin/sh
            echo "$@" >>"$0.calls"
            dump=
            for word in "$@"; do
                case $word in
                    -XX:DumpLoadedClassList=*) echo java/lang/Object >"${word#*=}" ;;
                    -Xshare:dump) dump=yes ;;
                    -XX:SharedArchiveFile=*) archive=${word#*=} ;;
                esac
            done
            echo "${LC_ALL:-none}" >>"$0.locales"
            [ -n "$dump" ] || exit 0
            [ ! -e "$0.no-archives" ] || exit 1
            echo archive >"$archive"
            """;

    @TempDir
    private Path root;

    private Path target;
    private Path java;

    @BeforeEach
    void prepare() throws IOException {
        Path bin = Files.createDirectories(root.resolve("docker/bin"));
        Files.copy(Path.of("bin/weir"), bin.resolve("weir"));
        target = Files.createDirectories(root.resolve("docker/target"));
        Files.createDirectories(target.resolve("lib"));
        Files.writeString(root.resolve("pom.xml"), "");
        aged(Files.writeString(target.resolve("weir-docker-1.jar"), ""));
        Files.writeString(target.resolve("weir.built"), "");
        java = Files.createDirectories(root.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, JAVA);
        assertThat(java.toFile().setExecutable(true)).isTrue();
        release("17.0.1");
    }

    @Test
    void shouldMakeTheArchiveOnceAndStartWithIt() throws Exception {
        assertThat(weir("showq")).contains("Preparing a faster start");
        assertThat(weir("showq")).isEmpty();

        List<String> calls = calls();
        assertThat(calls).hasSize(4);
        assertThat(calls.get(0)).contains("StartupTraining");
        assertThat(calls.get(1)).contains("-Xshare:dump");
        assertThat(calls.subList(2, 4)).allMatch(call -> call.contains("-XX:SharedArchiveFile=" + target));
        assertThat(calls.get(3)).endsWith("io.weir.command.Main showq");
    }

    @Test
    void shouldMakeItAnewForAnotherBuildOrAnotherJdk() throws Exception {
        weir("showq");
        FileTime later = FileTime.fromMillis(System.currentTimeMillis() + 10_000);
        Files.setLastModifiedTime(target.resolve("weir-docker-1.jar"), later);
        weir("showq");
        aged(target.resolve("weir-docker-1.jar"));
        release("17.0.2");
        weir("showq");

        assertThat(calls()).filteredOn(call -> call.contains("-Xshare:dump")).hasSize(3);
    }

    @Test
    void shouldGoOnWithoutWhereTheJdkMakesNone() throws Exception {
        Files.writeString(root.resolve("jdk/bin/java.no-archives"), "");
        weir("showq");
        weir("showq");

        assertThat(calls())
                .filteredOn(call -> call.contains("io.weir.command.Main"))
                .hasSize(2)
                .noneMatch(call -> call.contains("SharedArchiveFile"));
    }

    @Test
    void shouldNotTouchTheArchiveWhenToldNotTo() throws Exception {
        assertThat(weir("showq", "WEIR_NO_CDS=1")).isEmpty();

        assertThat(calls()).hasSize(1).noneMatch(call -> call.contains("SharedArchiveFile"));
    }

    @Test
    void shouldStartWithTheCollectorThatSuitsTheCommand() throws Exception {
        weir("showq", "WEIR_NO_CDS=1");
        weir("bench", "WEIR_NO_CDS=1");

        assertThat(calls().get(0)).contains("-XX:+UseSerialGC").doesNotContain("UseParallelGC");
        assertThat(calls().get(1)).contains("-XX:+UseParallelGC").doesNotContain("UseSerialGC");
    }

    @Test
    void shouldLeaveTheCollectorToWhoeverNamesOne() throws Exception {
        weir("simulate", "WEIR_NO_CDS=1", "WEIR_JAVA_OPTS=-Xmx8g -XX:+UseG1GC");

        assertThat(calls())
                .singleElement()
                .asString()
                .contains("-Xmx8g -XX:+UseG1GC")
                .doesNotContain("UseParallelGC");
    }

    @Test
    void shouldGiveCommandsAHeapForALongQueueAndLetThemSayWhereItIsTooSmall() throws Exception {
        weir("showq", "WEIR_NO_CDS=1");
        weir("standalone", "WEIR_NO_CDS=1");

        Matcher heap = Pattern.compile("-Xmx(\\d+)m").matcher(calls().get(0));
        assertThat(heap.find()).isTrue();
        assertThat(Integer.parseInt(heap.group(1))).isBetween(256, 1024);
        assertThat(calls().get(0)).doesNotContain("ExitOnOutOfMemoryError");
        assertThat(calls().get(1)).contains("-Xmx1g").contains("-XX:+ExitOnOutOfMemoryError");
    }

    @Test
    void shouldReadArgumentsInUtf8WhereTheLocaleHasNoEncoding() throws Exception {
        weir("showq", "WEIR_NO_CDS=1", "LC_ALL=", "LC_CTYPE=", "LANG=C");
        weir("showq", "WEIR_NO_CDS=1", "LC_ALL=POSIX");
        weir("showq", "WEIR_NO_CDS=1", "LC_ALL=de_DE.ISO-8859-1");
        weir("showq", "WEIR_NO_CDS=1", "LC_ALL=", "LC_CTYPE=", "LANG=en_GB.UTF-8");

        assertThat(Files.readAllLines(root.resolve("jdk/bin/java.locales")))
                .containsExactly("C.UTF-8", "C.UTF-8", "de_DE.ISO-8859-1", "none");
    }

    @Test
    void shouldSimulateAShortTraceWithoutTheSecondCompiler() throws Exception {
        Path trace = Files.writeString(root.resolve("a.swf"), "1 0 -1 1 1");
        weir("simulate --trace " + trace + " --nodes 1", "WEIR_NO_CDS=1");
        weir("simulate --nodes 1 --trace=" + trace, "WEIR_NO_CDS=1");
        weir("simulate --trace " + trace + " --repeat 5", "WEIR_NO_CDS=1");
        weir("simulate --trace " + trace + " --compare a.cfg", "WEIR_NO_CDS=1");
        weir("simulate --trace " + root.resolve("elsewhere"), "WEIR_NO_CDS=1");
        Files.write(trace, new byte[10 << 20]);
        weir("simulate --trace " + trace, "WEIR_NO_CDS=1");

        assertThat(calls()).hasSize(6);
        assertThat(calls().subList(0, 2)).allMatch(call -> call.contains("-XX:TieredStopAtLevel=1"));
        assertThat(calls().subList(2, 6)).noneMatch(call -> call.contains("-XX:TieredStopAtLevel=1"));
    }

    @Test
    void shouldAuditAShortJournalWithoutTheSecondCompiler() throws Exception {
        Path journal = Files.createDirectories(root.resolve("data/broker/kafka/site.journal-0"));
        Files.writeString(journal.resolve("00000000000000000000.log"), "records");
        weir("replay --verify --data " + root.resolve("data"), "WEIR_NO_CDS=1");
        weir("replay --data=" + root.resolve("data") + " --verify", "WEIR_NO_CDS=1");
        weir("replay --verify --data " + root.resolve("elsewhere"), "WEIR_NO_CDS=1");
        weir("replay --verify --bootstrap-server broker:9092", "WEIR_NO_CDS=1");
        weir("audit --data " + root.resolve("data"), "WEIR_NO_CDS=1");

        assertThat(calls()).hasSize(5);
        assertThat(calls().subList(0, 2)).allMatch(call -> call.contains("-XX:TieredStopAtLevel=1"));
        assertThat(calls().subList(2, 5)).noneMatch(call -> call.contains("-XX:TieredStopAtLevel=1"));
    }

    private void release(String version) throws IOException {
        Files.writeString(root.resolve("jdk/release"), "IMPLEMENTOR=\"x\"\nJAVA_RUNTIME_VERSION=\"" + version + "\"\n");
    }

    private static void aged(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() - 100_000));
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(root.resolve("jdk/bin/java.calls"));
    }

    /** Runs a command line and returns what it wrote; {@code set} are variables to set, as {@code NAME=value}. */
    private String weir(String line, String... set) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of("sh", root.resolve("docker/bin/weir").toString()));
        words.addAll(List.of(line.split(" ")));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.environment().keySet().removeIf(name -> name.startsWith("WEIR_"));
        builder.environment().put("JAVA_HOME", root.resolve("jdk").toString());
        for (String variable : set) {
            int equals = variable.indexOf('=');
            builder.environment().put(variable.substring(0, equals), variable.substring(equals + 1));
        }
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
