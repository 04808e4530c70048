package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.Feature;
import io.weir.rm.nativerm.call.CallLimits;
import io.weir.rm.nativerm.call.Endpoint;
import io.weir.rm.spi.RmException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeConfigTest {
    private static final Map<String, String> LEAST =
            Map.of("cluster.query.url", "file:///nodes", "workload.query.url", "file:///jobs");

    @TempDir
    Path directory;

    @Test
    void shouldHaveDefaults() {
        NativeConfig config = read(LEAST);

        assertThat(config.first().name()).isEqualTo("native");
        assertThat(config.first().limits()).isEqualTo(new CallLimits(Duration.ofSeconds(30), 64 << 20));
        assertThat(config.first().all(NativeUrl.CLUSTER_QUERY)).containsExactly(new Endpoint.File(Path.of("/nodes")));
        assertThat(config.first().environment()).isEmpty();
        assertThat(config.others()).isEmpty();
        assertThat(config.downAfter()).isEqualTo(3);
    }

    @Test
    void shouldReadEverySetting() {
        Map<String, String> settings = new TreeMap<>();
        for (NativeUrl url : NativeUrl.values()) {
            settings.put(url.key(), "http://rm/" + url.key());
        }
        settings.put("timeout.seconds", "5");
        settings.put("environment", "A=1;B=x y");
        settings.put("max.output.bytes", "2048");
        settings.put("down.after.polls", "7");

        NativeConfig config = read(settings);

        for (NativeUrl url : NativeUrl.values()) {
            assertThat(config.first().first(url)).contains(new Endpoint.Http(URI.create("http://rm/" + url.key())));
        }
        assertThat(config.first().limits()).isEqualTo(new CallLimits(Duration.ofSeconds(5), 2048));
        assertThat(config.first().environment()).isEqualTo(Map.of("A", "1", "B", "x y"));
        assertThat(config.downAfter()).isEqualTo(7);
    }

    @Test
    void shouldReadAResourceManagerLine() throws IOException {
        Path file = Files.writeString(directory.resolve("moab.cfg"), """
                SCHEDCFG[Moab] MODE=NORMAL   # other parameters are skipped
                rmcfg[base] TYPE=NATIVE CLUSTERQUERYURL=exec://$TOOLSDIR/nodes.sh,file:///more WORKLOADQUERYURL=exec://$TOOLSDIR/jobs.sh
                RMCFG[base] JOBSTARTURL="exec://$TOOLSDIR/start.sh -v 'a b'" \\
                            TIMEOUT=1:30  ENV='LANG=C;SITE=north' POLLINTERVAL=30 ...
                RMCFG[temp] TYPE=NATIVE CLUSTERQUERYURL=http://sensors/temp?unit=C#x
                #RMCFG[no] TYPE=KAFKA
                """);

        NativeConfig config = read(Map.of("rmcfg.file", file.toString(), "job.cancel.url", "exec:///cancel $SITE"));

        RmDefinition base = config.first();
        assertThat(base.name()).isEqualTo("base");
        assertThat(base.all(NativeUrl.CLUSTER_QUERY))
                .containsExactly(
                        new Endpoint.Exec(List.of("/opt/tools/nodes.sh")), new Endpoint.File(Path.of("/more")));
        assertThat(base.first(NativeUrl.JOB_START))
                .contains(new Endpoint.Exec(List.of("/opt/tools/start.sh", "-v", "a b")));
        assertThat(base.first(NativeUrl.JOB_CANCEL)).contains(new Endpoint.Exec(List.of("/cancel", "north")));
        assertThat(base.limits().timeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(base.environment()).isEqualTo(Map.of("LANG", "C", "SITE", "north"));
        assertThat(config.others()).extracting(RmDefinition::name).containsExactly("temp");
    }

    @Test
    void shouldPreferSettingsToLines() {
        NativeConfig config = read(Map.of(
                "rmcfg", "RMCFG[a] CLUSTERQUERYURL=file:///a WORKLOADQUERYURL=file:///b TIMEOUT=9",
                "cluster.query.url", "file:///c",
                "timeout.seconds", "8"));

        assertThat(config.first().first(NativeUrl.CLUSTER_QUERY)).contains(new Endpoint.File(Path.of("/c")));
        assertThat(config.first().limits().timeout()).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    @Feature("FAIL-18")
    void shouldTakeTheTimeOfSilenceFromItsSettingElseFromTheFile() throws IOException {
        Path file = Files.writeString(directory.resolve("site.cfg"), """
                #NODEFAILDETECTTIME 10
                RMCFG[a] CLUSTERQUERYURL=file:///a WORKLOADQUERYURL=file:///b
                nodefaildetecttime = 1:30 # a heartbeat every half minute
                NODEPOLLTIMEOUT 10:00
                """);

        assertThat(read(Map.of("rmcfg", "RMCFG[a] CLUSTERQUERYURL=file:///a WORKLOADQUERYURL=file:///b"))
                        .detectTime())
                .isEqualTo(Duration.ofSeconds(60));
        assertThat(read(Map.of("rmcfg.file", file.toString())).detectTime()).isEqualTo(Duration.ofSeconds(90));
        assertThat(read(Map.of("rmcfg.file", file.toString())).listTime()).isEqualTo(Duration.ofMinutes(10));
        assertThat(read(Map.of("rmcfg.file", file.toString(), "node.list.seconds", "5"))
                        .listTime())
                .isEqualTo(Duration.ofSeconds(5));
        assertThat(read(Map.of("rmcfg.file", file.toString(), "node.detect.seconds", "0"))
                        .detectTime())
                .isZero();
        assertThatThrownBy(() -> read(Map.of("rmcfg.file", file.toString(), "node.detect.seconds", "-1")))
                .hasMessageContaining("NODEFAILDETECTTIME");
        assertThatThrownBy(() -> read(Map.of("rmcfg.file", file.toString(), "node.detect.seconds", "2:00:00:00")))
                .hasMessageContaining("86400");
    }

    @Test
    void shouldReportAllThatIsWrong() {
        assertThatThrownBy(() -> read(Map.of("rmcfg", """
                        RMCFG[a] TYPE=KAFKA CLUSTERQUERYURL=kafka://nodes WORKLOADQUERYURL=exec://$NOWHERE/x
                        RMCFG[a] JOBSTARTURL=file:///start TIMEOUT=0 ENV=X COLOUR=red JOBCANCELURL=
                        RMCFG[a] JOBREQUEUEURL="exec:///x
                        RMCFG[b] JOBSTARTURL=exec:///start word
                        """, "colour", "red")))
                .isInstanceOf(RmException.class)
                .satisfies(e -> assertThat(e.getMessage().split("\n"))
                        .satisfiesExactlyInAnyOrder(
                                line -> assertThat(line).startsWith("rm.native.colour is not a setting"),
                                line -> assertThat(line).isEqualTo("RMCFG[a] TYPE: KAFKA is not NATIVE"),
                                line -> assertThat(line).startsWith("RMCFG[a] CLUSTERQUERYURL: 'kafka://nodes'"),
                                line -> assertThat(line)
                                        .startsWith("RMCFG[a] WORKLOADQUERYURL:")
                                        .contains("NOWHERE"),
                                line -> assertThat(line).startsWith("RMCFG[a] JOBSTARTURL: a file cannot"),
                                line -> assertThat(line).startsWith("RMCFG[a] TIMEOUT: 0 is not"),
                                line -> assertThat(line).startsWith("RMCFG[a] ENV: 'X' is not"),
                                line -> assertThat(line).startsWith("RMCFG[a] COLOUR: is not an attribute"),
                                line -> assertThat(line).startsWith("RMCFG[a] JOBCANCELURL: has no value"),
                                line -> assertThat(line).startsWith("rm.native.rmcfg:3: a quote is not closed"),
                                line -> assertThat(line).startsWith("rm.native.rmcfg:4: 'word' is not ATTR=VALUE"),
                                line -> assertThat(line).startsWith("RMCFG[b] JOBSTARTURL: only the first")));
        assertThatThrownBy(() -> read(Map.of())).hasMessageContaining("needs CLUSTERQUERYURL and WORKLOADQUERYURL");
        assertThatThrownBy(() -> read(Map.of("rmcfg.file", "/nowhere.cfg"))).hasMessageContaining("/nowhere.cfg");
        assertThatThrownBy(() -> read(Map.of("max.output.bytes", "1"))).hasMessageContaining("max.output.bytes");
    }

    private static NativeConfig read(Map<String, String> settings) {
        return NativeConfig.read(settings, Map.of("TOOLSDIR", "/opt/tools")::get);
    }

    @Test
    void shouldHaveEveryAttributeInTheReadme() throws IOException {
        String readme = Files.readString(Path.of("README.md"));

        assertThat(NativeUrl.values()).allSatisfy(url -> assertThat(readme).contains("`" + url.attribute() + "`"));
        assertThat(NativeConfig.ELSEWHERE)
                .allSatisfy(attribute -> assertThat(readme).contains("`" + attribute + "`"));
    }
}
