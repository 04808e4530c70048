package io.weir.rm.nativerm.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.JobState;
import io.weir.schemas.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TextReaderTest {
    private final Problems problems = new Problems();

    @Test
    void shouldReadTheExamplesOfTheFormat() {
        List<TextObject> nodes = nodes("""
                node001 GMETRIC[temp]=113
                node002 STATE=Idle;CPROC=4;CMEMORY=8192;FEATURE=switchA:fast;CCLASS=[batch:4]
                node003 GEVENT[hitemp:1130325993]='temperature exceeds 150 degrees'
                """);
        List<TextObject> jobs =
                jobs("job.17 STATE=Idle;UNAME=ann;GNAME=users;TASKS=4;WCLIMIT=3600;QUEUETIME=1700000000;"
                        + "RCLASS=[batch:1];COMMENT=\"NODESET:ONEOF:FEATURE:switchA;QOS:high\"\n");

        assertThat(problems.first()).isEmpty();
        assertThat(nodes).extracting(TextObject::id).containsExactly("node001", "node002", "node003");
        assertThat(nodes.get(0).get(NodeTextAttributes.GMETRIC)).containsEntry("temp", 113.0);
        assertThat(nodes.get(1).get(NodeTextAttributes.STATE))
                .isEqualTo(new ReportedNodeState(NodeState.IDLE, false, null));
        assertThat(nodes.get(1).get(NodeTextAttributes.CPROC)).isEqualTo(4);
        assertThat(nodes.get(1).get(NodeTextAttributes.CMEMORY)).isEqualTo(8192);
        assertThat(nodes.get(1).get(NodeTextAttributes.FEATURE)).containsExactly("switchA", "fast");
        assertThat(nodes.get(1).get(NodeTextAttributes.CCLASS))
                .containsOnlyKeys("batch")
                .containsValue(4);
        assertThat(nodes.get(2).get(NodeTextAttributes.GEVENT))
                .containsExactly(new GenericEventMark(
                        "hitemp", Instant.ofEpochSecond(1130325993), "temperature exceeds 150 degrees"));
        TextObject job = jobs.get(0);
        assertThat(job.id()).isEqualTo("job.17");
        assertThat(job.get(JobTextAttributes.STATE)).isEqualTo(JobState.IDLE);
        assertThat(job.get(JobTextAttributes.UNAME)).isEqualTo("ann");
        assertThat(job.get(JobTextAttributes.GNAME)).isEqualTo("users");
        assertThat(job.get(JobTextAttributes.TASKS)).isEqualTo(4);
        assertThat(job.get(JobTextAttributes.WCLIMIT)).isEqualTo(Duration.ofHours(1));
        assertThat(job.get(JobTextAttributes.QUEUETIME)).isEqualTo(Instant.ofEpochSecond(1700000000));
        assertThat(job.get(JobTextAttributes.RCLASS)).containsOnlyKeys("batch");
        assertThat(JobTextAttributes.extensions(job))
                .containsEntry("NODESET", "ONEOF:FEATURE:switchA")
                .containsEntry("QOS", "high")
                .hasSize(2);
    }

    /** A report with more would be refused as a whole, and a longer and longer list copied for each takes minutes. */
    @Test
    @Timeout(20)
    void shouldTakeNoMoreOfWhatAddsUpThanAReportMayHave() {
        StringBuilder text = new StringBuilder("n1 STATE=Idle");
        for (int i = 0; i < 25_000; i++) {
            text.append(";GMETRIC[g").append(i).append("]=1;GEVENT[e").append(i).append("]=x");
        }
        for (int i = 0; i < 30_000; i++) {
            text.append("\nn1 VARIABLE=v").append(i).append("=1");
        }
        TextObject node = nodes(text.toString()).get(0);

        assertThat(node.get(NodeTextAttributes.STATE).state()).isEqualTo(NodeState.IDLE);
        assertThat(node.get(NodeTextAttributes.GMETRIC)).hasSize(256).containsKey("g255");
        assertThat(node.get(NodeTextAttributes.GEVENT)).hasSize(256);
        assertThat(node.get(NodeTextAttributes.VARIABLE)).hasSize(256).containsKey("v0");
        assertThat(problems.first().toString()).contains("is one more than the 256 that there may be");
    }

    @Test
    void shouldTakeBlanksBetweenPairsAndSkipComments() {
        TextObject node = nodes("""
                # a comment
                   # another

                n1   STATE=Busy\tCPROC=2 ; CPULOAD=1.5   # the rest is a comment CPROC=9
                """).get(0);

        assertThat(problems.first()).isEmpty();
        assertThat(node.get(NodeTextAttributes.CPROC)).isEqualTo(2);
        assertThat(node.get(NodeTextAttributes.CPULOAD)).isEqualTo(1.5);
    }

    @Test
    void shouldHonourEscapesAndQuotes() {
        TextObject node = nodes("""
                n1 STATE=Down:disk\\ failed\\;\\ twice MESSAGE="say \\"hi\\"; it's #1" OS='a\\b "c"' RACK=r\\#1;SLOT=it's
                n2 FEATURE=a\\:b:c;NETWORK="x:y z"
                """).get(0);

        assertThat(problems.first()).isEmpty();
        assertThat(node.get(NodeTextAttributes.STATE))
                .isEqualTo(new ReportedNodeState(NodeState.DOWN, false, "disk failed; twice"));
        assertThat(node.get(NodeTextAttributes.MESSAGE)).isEqualTo("say \"hi\"; it's #1");
        assertThat(node.get(NodeTextAttributes.OS)).isEqualTo("a\\b \"c\"");
        assertThat(node.get(NodeTextAttributes.RACK)).isEqualTo("r#1");
        assertThat(node.get(NodeTextAttributes.SLOT)).isEqualTo("it's");
    }

    @Test
    void shouldNotSeparateAtAnEscapedColon() {
        TextObject node = nodes("n2 FEATURE=a\\:b:c;NETWORK=\"x:y z\"\n").get(0);

        assertThat(node.get(NodeTextAttributes.FEATURE)).containsExactly("a:b", "c");
        assertThat(node.get(NodeTextAttributes.NETWORK)).containsExactly("x", "y z");
    }

    @Test
    void shouldMergeLinesOfTheSameId() {
        TextReader reader = new TextReader(NodeTextAttributes.VOCABULARY, problems);
        reader.read("basics", "n1 STATE=Idle;CPROC=4;FEATURE=a;VARIABLE=x=1;VARIABLE=y\nn2 STATE=Idle\n");
        reader.read("metrics", "n1 GMETRIC[temp]=20;GMETRIC[watts]=1e2;CPROC=8\nn1 GMETRIC[temp]=21;VARIABLE=x=2\n");

        TextObject node = reader.objects().iterator().next();
        assertThat(reader.objects()).hasSize(2);
        assertThat(node.get(NodeTextAttributes.CPROC)).isEqualTo(8);
        assertThat(node.get(NodeTextAttributes.FEATURE)).containsExactly("a");
        assertThat(node.get(NodeTextAttributes.GMETRIC))
                .containsEntry("temp", 21.0)
                .containsEntry("watts", 100.0);
        assertThat(node.get(NodeTextAttributes.VARIABLE))
                .containsEntry("x", "2")
                .containsEntry("y", "");
    }

    @Test
    void shouldKeepAnEarlierValueWhenALaterOneIsMalformed() {
        TextObject node =
                nodes("n1 CPROC=4\nn1 CPROC=four;ARCH=\nn1 ARCH=x86_64;ARCH=\n").get(0);

        assertThat(node.get(NodeTextAttributes.CPROC)).isEqualTo(4);
        assertThat(node.get(NodeTextAttributes.ARCH)).isEqualTo("x86_64");
        assertThat(problems.first())
                .extracting(Problem::toString)
                .containsExactly(
                        "test:2: n1 CPROC=four: is not a whole number", "test:2: n1: nothing of the line can be read");
    }

    @Test
    void shouldNameSourceLineAndReasonOfEachProblem() {
        List<TextObject> nodes = nodes("""
                n1 CPROC=-1;COLOUR=red;CPROCS=2;STATE=Sleeping;CPULOAD=NaN;GMETRIC=3;CPROC[a]=1;word
                STATE=Idle;CPROC=4
                <html><body class="x">
                n2 STATE=Idle;MESSAGE="never ends; CPROC=3
                n3 GEVENT[x:soon]=late;STATE=Idle\\
                Error: could not connect
                n4 FEATURE
                """);

        assertThat(nodes).extracting(TextObject::id).containsExactly("n2");
        assertThat(problems.count()).isEqualTo(18);
        assertThat(problems.first())
                .extracting(Problem::toString)
                .containsExactly(
                        "test:1: n1 CPROC=-1: is not between 0 and 1000000",
                        "test:1: n1 COLOUR: unknown attribute",
                        "test:1: n1 CPROCS: unknown attribute, did you mean CPROC?",
                        "test:1: n1 STATE=Sleeping: is not a state of a node",
                        "test:1: n1 CPULOAD=NaN: is not a number from 0.0 to 1000000.0",
                        "test:1: n1 GMETRIC=3: wants a name in brackets after the attribute",
                        "test:1: n1 CPROC[a]=1: takes no [a]",
                        "test:1: 'word' is not ATTR=VALUE",
                        "test:1: n1: nothing of the line can be read",
                        "test:2: line has no id, it begins with 'STATE=Idle;CPROC=4'",
                        "test:3: line has no id, it begins with '<html><body'",
                        "test:4: 'MESSAGE=\"never ends; CPROC=3' is not ATTR=VALUE",
                        "test:5: n3 GEVENT[x:soon]=late: is not a whole number",
                        "test:5: 'STATE=Idle\\' is not ATTR=VALUE",
                        "test:5: n3: nothing of the line can be read",
                        "test:6: line has no id, it begins with 'Error:'",
                        "test:7: 'FEATURE' is not ATTR=VALUE",
                        "test:7: n4: nothing of the line can be read");
    }

    @Test
    void shouldTakeAnIdAloneForAnObjectWithoutData() {
        TextObject node = nodes("n1\r\n").get(0);

        assertThat(problems.first()).isEmpty();
        assertThat(node.hasData()).isFalse();
        assertThat(node.get(NodeTextAttributes.CPROC)).isEqualTo(1);
        assertThat(node.find(NodeTextAttributes.STATE)).isEmpty();
    }

    @Test
    void shouldLeaveOutUnprintableCharactersAndLongLines() {
        List<TextObject> nodes =
                nodes("n1 MESSAGE=a\u0000b;CPROC=2\nn\u00002 CPROC=2\nn3 MESSAGE=" + "x".repeat(1_000_000) + "\n");

        assertThat(nodes).extracting(TextObject::id).containsExactly("n1");
        assertThat(nodes.get(0).find(NodeTextAttributes.MESSAGE)).isEmpty();
        assertThat(problems.count()).isEqualTo(3);
        assertThat(problems.first().toString()).doesNotContain("\u0000").hasSizeLessThan(500);
    }

    @Test
    void shouldAddOnlyToWhatIsKnownWhenASupplementIsRead() {
        TextReader reader = new TextReader(NodeTextAttributes.VOCABULARY, problems);
        reader.read("base", "n1 CPROC=2\n");
        reader.readAbout("temperature", "n1 GMETRIC[temp]=50\nstranger GMETRIC[temp]=90\n");

        assertThat(reader.objects()).hasSize(1);
        assertThat(reader.objects().iterator().next().get(NodeTextAttributes.GMETRIC))
                .containsEntry("temp", 50.0);
        assertThat(problems.first())
                .extracting(Problem::toString)
                .containsExactly("temperature:2: stranger: the resource manager itself does not list it");
    }

    @Test
    void shouldCountProblemsBeyondThoseItKeeps() {
        nodes("n1 X\n".repeat(500));

        assertThat(problems.count()).isEqualTo(1000);
        assertThat(problems.first()).hasSize(100);
    }

    private List<TextObject> nodes(String text) {
        TextReader reader = new TextReader(NodeTextAttributes.VOCABULARY, problems);
        reader.read("test", text);
        return List.copyOf(reader.objects());
    }

    private List<TextObject> jobs(String text) {
        TextReader reader = new TextReader(JobTextAttributes.VOCABULARY, problems);
        reader.read("test", text);
        return List.copyOf(reader.objects());
    }
}
