package io.weir.rm.nativerm.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.JobState;
import io.weir.schemas.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextAttributesTest {
    private static final Instant T = Instant.ofEpochSecond(1_700_000_000);

    /** The names of the format's tables, aliases included. */
    private static final List<String> NODE_NAMES = List.of(
            ("STATE UPDATETIME CPROC CMEMORY CSWAP CDISK APROC AMEMORY ASWAP ADISK CPULOAD CPUSPEED SPEED ARCH OS"
                            + " PARTITION RACK SLOT FEATURE NETWORK CNET ANET CCLASS ACLASS CRES ARES GRES GMETRIC GEVENT"
                            + " MESSAGE VARIABLE CAT POWER MAXTASK CURRENTTASK JOBLIST CHARGERATE NODEINDEX EVENT REMOVED")
                    .split(" "));

    private static final List<String> JOB_NAMES =
            List.of(("STATE UPDATETIME QUEUETIME STARTTIME COMPLETIONTIME STARTDATE ENDDATE WCLIMIT TASKS NODES"
                            + " TASKPERNODE DPROCS DMEM DDISK DSWAP RMEM RSWAP RDISK RMEMCMP RSWAPCMP RDISKCMP RFEATURES"
                            + " RNETWORK ROPSYS RARCH RCLASS GRES UNAME GNAME ACCOUNT QOS UPRIORITY PARTITIONMASK TASKLIST HOSTLIST"
                            + " EXEC IWD ARGS ENV COMMENT PREF RESERVATION EXITCODE SUSPENDTIME REJCOUNT REJMESSAGE EVENT"
                            + " GMETRIC GEVENT VARIABLE APPLICATION CPUTIME MEMUSED")
                    .split(" "));

    static Stream<Arguments> nodeValues() {
        return Stream.of(
                node(NodeTextAttributes.STATE, "STATE=Active", condition(NodeState.RUNNING)),
                node(NodeTextAttributes.STATE, "STATE=offline", condition(NodeState.DRAINED)),
                node(NodeTextAttributes.STATE, "STATE=Draining", condition(NodeState.DRAINING)),
                node(NodeTextAttributes.STATE, "STATE=Unknown", condition(NodeState.UNKNOWN)),
                node(NodeTextAttributes.STATE, "STATE=Fail", new ReportedNodeState(NodeState.UNKNOWN, true, null)),
                node(
                        NodeTextAttributes.STATE,
                        "STATE=Idle+Fail:ecc",
                        new ReportedNodeState(NodeState.IDLE, true, "ecc")),
                node(NodeTextAttributes.UPDATETIME, "UPDATETIME=1700000000", T),
                node(NodeTextAttributes.CPROC, "cproc=64", 64),
                node(NodeTextAttributes.CMEMORY, "CMEMORY=2G", 2048L),
                node(NodeTextAttributes.CSWAP, "CSWAP=1500K", 2L),
                node(NodeTextAttributes.CDISK, "CDISK=1T", 1L << 20),
                node(NodeTextAttributes.APROC, "APROC=0", 0),
                node(NodeTextAttributes.AMEMORY, "AMEMORY=12M", 12L),
                node(NodeTextAttributes.ASWAP, "ASWAP=0", 0L),
                node(NodeTextAttributes.ADISK, "ADISK=7", 7L),
                node(NodeTextAttributes.CPULOAD, "CPULOAD=0.25", 0.25),
                node(NodeTextAttributes.CPUSPEED, "CPUSPEED=2600", 2600),
                node(NodeTextAttributes.SPEED, "SPEED=1.5", 1.5),
                node(NodeTextAttributes.ARCH, "ARCH=x86_64", "x86_64"),
                node(NodeTextAttributes.OS, "OS=linux", "linux"),
                node(NodeTextAttributes.PARTITION, "PARTITION=p", "p"),
                node(NodeTextAttributes.RACK, "RACK=7", "7"),
                node(NodeTextAttributes.SLOT, "SLOT=3", "3"),
                node(NodeTextAttributes.FEATURE, "FEATURE=b:a:b", Set.of("a", "b")),
                node(NodeTextAttributes.NETWORK, "CNET=ib:eth", Set.of("ib", "eth")),
                node(NodeTextAttributes.ANET, "ANET=eth", Set.of("eth")),
                node(
                        NodeTextAttributes.CCLASS,
                        "CCLASS=[batch:8][interactive]",
                        Map.of("batch", 8, "interactive", Integer.MAX_VALUE)),
                node(NodeTextAttributes.ACLASS, "ACLASS=[batch:0]", Map.of("batch", 0)),
                node(NodeTextAttributes.CRES, "GRES=gpu:2,licence", Map.of("gpu", 2, "licence", 1)),
                node(NodeTextAttributes.CRES, "CRES=gpu,2:mic,1", Map.of("gpu", 2, "mic", 1)),
                node(NodeTextAttributes.ARES, "ARES=gpu:0", Map.of("gpu", 0)),
                node(NodeTextAttributes.GMETRIC, "GMETRIC[temp]=-3.5", Map.of("temp", -3.5)),
                node(
                        NodeTextAttributes.GEVENT,
                        "GEVENT[a]=x;GEVENT[a:5]=y;GEVENT[a]=z",
                        List.of(
                                new GenericEventMark("a", Instant.ofEpochSecond(5), "y"),
                                new GenericEventMark("a", null, "z"))),
                node(NodeTextAttributes.MESSAGE, "MESSAGE='a b'", "a b"),
                node(NodeTextAttributes.VARIABLE, "VARIABLE=os=linux;VARIABLE=big", Map.of("os", "linux", "big", "")),
                node(NodeTextAttributes.CAT, "CAT=HardwareFailure", "HardwareFailure"),
                node(NodeTextAttributes.POWER, "POWER=off", false),
                node(NodeTextAttributes.MAXTASK, "MAXTASK=3", 3),
                node(NodeTextAttributes.CURRENTTASK, "CURRENTTASK=2", 2),
                node(NodeTextAttributes.JOBLIST, "JOBLIST=1,job.2", List.of("1", "job.2")),
                node(NodeTextAttributes.CHARGERATE, "CHARGERATE=0.5", 0.5),
                node(NodeTextAttributes.NODEINDEX, "NODEINDEX=12", 12),
                node(NodeTextAttributes.EVENT, "EVENT=fan", "fan"),
                node(NodeTextAttributes.REMOVED, "REMOVED=1", true));
    }

    static Stream<Arguments> jobValues() {
        return Stream.of(
                job(JobTextAttributes.STATE, "STATE=Removed", JobState.CANCELLED),
                job(JobTextAttributes.STATE, "STATE=Canceled", JobState.CANCELLED),
                job(JobTextAttributes.STATE, "STATE=suspended", JobState.SUSPENDED),
                job(JobTextAttributes.UPDATETIME, "UPDATETIME=1700000000", T),
                job(JobTextAttributes.QUEUETIME, "QUEUETIME=1700000000", T),
                job(JobTextAttributes.STARTTIME, "STARTTIME=1700000000", T),
                job(JobTextAttributes.COMPLETIONTIME, "COMPLETIONTIME=1700000000", T),
                job(JobTextAttributes.STARTDATE, "STARTDATE=1700000000", T),
                job(JobTextAttributes.ENDDATE, "ENDDATE=1700000000", T),
                job(JobTextAttributes.WCLIMIT, "WCLIMIT=1:02:03", Duration.ofSeconds(3723)),
                job(JobTextAttributes.WCLIMIT, "WCLIMIT=1:00:00:00", Duration.ofDays(1)),
                job(JobTextAttributes.WCLIMIT, "WCLIMIT=90:00", Duration.ofMinutes(90)),
                job(JobTextAttributes.WCLIMIT, "WCLIMIT=0", Duration.ofDays(36_600)),
                job(JobTextAttributes.WCLIMIT, "WCLIMIT=3162240000", Duration.ofDays(36_600)),
                job(JobTextAttributes.WCLIMIT, "WCLIMIT=00:00", Duration.ofDays(36_600)),
                job(JobTextAttributes.WCLIMIT, "WCLIMIT=-1", Duration.ofDays(36_600)),
                job(JobTextAttributes.WCLIMIT, "WCLIMIT=unlimited", Duration.ofDays(36_600)),
                job(JobTextAttributes.TASKS, "TASKS=3", 3),
                job(JobTextAttributes.NODES, "NODES=2", 2),
                job(JobTextAttributes.TASKPERNODE, "TASKPERNODE=4", 4),
                job(JobTextAttributes.DPROCS, "DPROCS=2", 2),
                job(JobTextAttributes.UPRIORITY, "UPRIORITY=-100", -100),
                job(JobTextAttributes.DMEM, "DMEM=1G", 1024L),
                job(JobTextAttributes.DDISK, "DDISK=5", 5L),
                job(JobTextAttributes.DSWAP, "DSWAP=6", 6L),
                job(JobTextAttributes.RMEM, "RMEM=7", 7L),
                job(JobTextAttributes.RMEMCMP, "RMEMCMP=>=", AmountComparison.AT_LEAST),
                job(JobTextAttributes.RSWAP, "RSWAP=8", 8L),
                job(JobTextAttributes.RSWAPCMP, "RSWAPCMP=<", AmountComparison.LESS),
                job(JobTextAttributes.RDISK, "RDISK=9", 9L),
                job(JobTextAttributes.RDISKCMP, "RDISKCMP===", AmountComparison.EQUAL),
                job(JobTextAttributes.RFEATURES, "RFEATURES=[fast][big]", Set.of("fast", "big")),
                job(JobTextAttributes.RFEATURES, "RFEATURES=fast:big", Set.of("fast", "big")),
                job(JobTextAttributes.RNETWORK, "RNETWORK=ib", "ib"),
                job(JobTextAttributes.ROPSYS, "ROPSYS=linux", "linux"),
                job(JobTextAttributes.RARCH, "RARCH=arm", "arm"),
                job(JobTextAttributes.RCLASS, "RCLASS=batch", Map.of("batch", Integer.MAX_VALUE)),
                job(JobTextAttributes.GRES, "GRES=gpu:2", Map.of("gpu", 2)),
                job(JobTextAttributes.UNAME, "UNAME=ann", "ann"),
                job(JobTextAttributes.GNAME, "GNAME=users", "users"),
                job(JobTextAttributes.ACCOUNT, "ACCOUNT=a", "a"),
                job(JobTextAttributes.QOS, "QOS=high", "high"),
                job(JobTextAttributes.NAME, "NAME='my job'", "my job"),
                job(JobTextAttributes.PARTITIONMASK, "PARTITIONMASK=[a][b]", Set.of("a", "b")),
                job(JobTextAttributes.TASKLIST, "TASKLIST=n2,n1,n2", List.of("n2", "n1", "n2")),
                job(JobTextAttributes.HOSTLIST, "HOSTLIST=n1:n2", List.of("n1", "n2")),
                job(JobTextAttributes.EXEC, "EXEC=/bin/a", "/bin/a"),
                job(JobTextAttributes.IWD, "IWD=/home/ann", "/home/ann"),
                job(JobTextAttributes.ARGS, "ARGS='-a -b'", "-a -b"),
                job(JobTextAttributes.ENV, "ENV='A=1 B=2'", "A=1 B=2"),
                job(JobTextAttributes.COMMENT, "COMMENT='QOS:high;X'", "QOS:high;X"),
                job(JobTextAttributes.PREF, "PREF=feature\\:fast&mem>=2048", "feature:fast&mem>=2048"),
                job(JobTextAttributes.RESERVATION, "RESERVATION=r.1", "r.1"),
                job(JobTextAttributes.EXITCODE, "EXITCODE=-1", -1),
                job(JobTextAttributes.SUSPENDTIME, "SUSPENDTIME=60", Duration.ofMinutes(1)),
                job(JobTextAttributes.REJCOUNT, "REJCOUNT=2", 2),
                job(JobTextAttributes.REJMESSAGE, "REJMESSAGE=no", "no"),
                job(JobTextAttributes.EVENT, "EVENT=x", "x"),
                job(JobTextAttributes.GMETRIC, "GMETRIC[flops]=1e9", Map.of("flops", 1e9)),
                job(
                        JobTextAttributes.GEVENT,
                        "GEVENT[x:1]=m",
                        List.of(new GenericEventMark("x", Instant.ofEpochSecond(1), "m"))),
                job(JobTextAttributes.VARIABLE, "VARIABLE=a=b=c", Map.of("a", "b=c")),
                job(JobTextAttributes.APPLICATION, "APPLICATION=cfd", "cfd"),
                job(JobTextAttributes.CPUTIME, "CPUTIME=100", Duration.ofSeconds(100)),
                job(JobTextAttributes.MEMUSED, "MEMUSED=3", 3L));
    }

    @ParameterizedTest
    @MethodSource({"nodeValues", "jobValues"})
    void shouldRead(Vocabulary vocabulary, TextAttribute<?> attribute, String pairs, Object expected) {
        Problems problems = new Problems();
        TextReader reader = new TextReader(vocabulary, problems);
        reader.read("test", "id " + pairs + "\n");

        assertThat(problems.first()).isEmpty();
        assertThat((Object) reader.objects().iterator().next().orNull(attribute))
                .isEqualTo(expected);
    }

    @Test
    void shouldHaveAnExampleOfEachNameOfTheFormat() {
        assertThat(NodeTextAttributes.VOCABULARY.names()).containsAll(NODE_NAMES);
        assertThat(JobTextAttributes.VOCABULARY.names()).containsAll(JOB_NAMES);
        assertThat(tried(nodeValues())).containsAll(attributes(NodeTextAttributes.VOCABULARY));
        assertThat(tried(jobValues())).containsAll(attributes(JobTextAttributes.VOCABULARY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATETIME=-1",
                "UPDATETIME=yesterday",
                "UPDATETIME=999999999999999",
                "CPROC=1000001",
                "CPROC=2.5",
                "CMEMORY=2X",
                "CMEMORY=G",
                "CMEMORY=-1",
                "CMEMORY=99999999999999999999",
                "CPULOAD=-0.1",
                "CMEMORY=10000000001",
                "CMEMORY=9999T",
                "CPULOAD=Infinity",
                "CPULOAD=1e7",
                "CPUSPEED=fast",
                "CPUSPEED=2147483647",
                "SPEED=-1",
                "SPEED=0",
                "SPEED=101",
                "CHARGERATE=1e7",
                "CCLASS=[batch:4",
                "CCLASS=batch:4]x[",
                "CCLASS=[:4]",
                "CCLASS=[batch:many]",
                "CRES=gpu:x",
                "CRES=:2",
                "CRES=2:gpu",
                "GMETRIC[]=1",
                "GMETRIC[t]=hot",
                "GMETRIC[t]=NaN",
                "GMETRIC[t]=-1e300",
                "GEVENT[:5]=x",
                "GEVENT[x:]=y",
                "VARIABLE==x",
                "POWER=dim",
                "MAXTASK=-1",
                "MAXTASK=2147483647",
                "NODEINDEX=-1",
                "NODEINDEX=2147483647",
                "REMOVED=perhaps",
                "STATE=Idle+Busy",
                "STATE=:reason",
                "STATE=+",
                "ARCH[1]=x"
            })
    void shouldLeaveOutWhatIsOutOfRange(String pair) {
        Problems problems = new Problems();
        TextReader reader = new TextReader(NodeTextAttributes.VOCABULARY, problems);
        reader.read("test", "n1 OS=linux;" + pair + "\n");

        assertThat(problems.first())
                .singleElement()
                .satisfies(problem -> assertThat(problem.text()).startsWith("n1 " + pair.split("[=\\[]", 2)[0]));
        assertThat(reader.objects())
                .singleElement()
                .satisfies(node -> assertThat(node.get(NodeTextAttributes.OS)).isEqualTo("linux"));
    }

    @Test
    void shouldHaveTheDefaultsOfTheFormat() {
        TextObject node = new TextObject("n");
        TextObject job = new TextObject("j");

        assertThat(node.get(NodeTextAttributes.CPROC)).isEqualTo(1);
        assertThat(node.get(NodeTextAttributes.CMEMORY)
                        + node.get(NodeTextAttributes.CSWAP)
                        + node.get(NodeTextAttributes.CDISK))
                .isZero();
        assertThat(node.get(NodeTextAttributes.CPULOAD)).isZero();
        assertThat(node.get(NodeTextAttributes.POWER)).isTrue();
        assertThat(node.get(NodeTextAttributes.CURRENTTASK)).isZero();
        assertThat(job.get(JobTextAttributes.STATE)).isEqualTo(JobState.IDLE);
        assertThat(job.get(JobTextAttributes.WCLIMIT)).isEqualTo(Duration.ofSeconds(864_000));
        assertThat(job.get(JobTextAttributes.TASKS)).isEqualTo(1);
        assertThat(job.get(JobTextAttributes.DPROCS)).isEqualTo(1);
    }

    private static Arguments node(TextAttribute<?> attribute, String pairs, Object expected) {
        return Arguments.of(NodeTextAttributes.VOCABULARY, attribute, pairs, expected);
    }

    private static Arguments job(TextAttribute<?> attribute, String pairs, Object expected) {
        return Arguments.of(JobTextAttributes.VOCABULARY, attribute, pairs, expected);
    }

    private static ReportedNodeState condition(NodeState state) {
        return new ReportedNodeState(state, false, null);
    }

    private static Set<Object> tried(Stream<Arguments> values) {
        Set<Object> tried = new HashSet<>();
        values.forEach(arguments -> tried.add(arguments.get()[1]));
        return tried;
    }

    private static Set<Object> attributes(Vocabulary vocabulary) {
        Set<Object> attributes = new HashSet<>();
        vocabulary.names().forEach(name -> attributes.add(vocabulary.find(name)));
        return attributes;
    }
}
