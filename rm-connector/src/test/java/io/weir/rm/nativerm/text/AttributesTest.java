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

class AttributesTest {
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
                            + " RNETWORK ROPSYS RARCH RCLASS GRES UNAME GNAME ACCOUNT QOS PARTITIONMASK TASKLIST HOSTLIST"
                            + " EXEC IWD ARGS ENV COMMENT PREF RESERVATION EXITCODE SUSPENDTIME REJCOUNT REJMESSAGE EVENT"
                            + " GMETRIC GEVENT VARIABLE APPLICATION CPUTIME MEMUSED")
                    .split(" "));

    static Stream<Arguments> nodeValues() {
        return Stream.of(
                node(NodeAttributes.STATE, "STATE=Active", condition(NodeState.RUNNING)),
                node(NodeAttributes.STATE, "STATE=offline", condition(NodeState.DRAINED)),
                node(NodeAttributes.STATE, "STATE=Draining", condition(NodeState.DRAINING)),
                node(NodeAttributes.STATE, "STATE=Unknown", condition(NodeState.UNKNOWN)),
                node(NodeAttributes.STATE, "STATE=Fail", new NodeCondition(NodeState.UNKNOWN, true, null)),
                node(NodeAttributes.STATE, "STATE=Idle+Fail:ecc", new NodeCondition(NodeState.IDLE, true, "ecc")),
                node(NodeAttributes.UPDATETIME, "UPDATETIME=1700000000", T),
                node(NodeAttributes.CPROC, "cproc=64", 64),
                node(NodeAttributes.CMEMORY, "CMEMORY=2G", 2048L),
                node(NodeAttributes.CSWAP, "CSWAP=1500K", 2L),
                node(NodeAttributes.CDISK, "CDISK=1T", 1L << 20),
                node(NodeAttributes.APROC, "APROC=0", 0),
                node(NodeAttributes.AMEMORY, "AMEMORY=12M", 12L),
                node(NodeAttributes.ASWAP, "ASWAP=0", 0L),
                node(NodeAttributes.ADISK, "ADISK=7", 7L),
                node(NodeAttributes.CPULOAD, "CPULOAD=0.25", 0.25),
                node(NodeAttributes.CPUSPEED, "CPUSPEED=2600", 2600),
                node(NodeAttributes.SPEED, "SPEED=1.5", 1.5),
                node(NodeAttributes.ARCH, "ARCH=x86_64", "x86_64"),
                node(NodeAttributes.OS, "OS=linux", "linux"),
                node(NodeAttributes.PARTITION, "PARTITION=p", "p"),
                node(NodeAttributes.RACK, "RACK=7", "7"),
                node(NodeAttributes.SLOT, "SLOT=3", "3"),
                node(NodeAttributes.FEATURE, "FEATURE=b:a:b", Set.of("a", "b")),
                node(NodeAttributes.NETWORK, "CNET=ib:eth", Set.of("ib", "eth")),
                node(NodeAttributes.ANET, "ANET=eth", Set.of("eth")),
                node(
                        NodeAttributes.CCLASS,
                        "CCLASS=[batch:8][interactive]",
                        Map.of("batch", 8, "interactive", Integer.MAX_VALUE)),
                node(NodeAttributes.ACLASS, "ACLASS=[batch:0]", Map.of("batch", 0)),
                node(NodeAttributes.CRES, "GRES=gpu:2,licence", Map.of("gpu", 2, "licence", 1)),
                node(NodeAttributes.CRES, "CRES=gpu,2:mic,1", Map.of("gpu", 2, "mic", 1)),
                node(NodeAttributes.ARES, "ARES=gpu:0", Map.of("gpu", 0)),
                node(NodeAttributes.GMETRIC, "GMETRIC[temp]=-3.5", Map.of("temp", -3.5)),
                node(
                        NodeAttributes.GEVENT,
                        "GEVENT[a]=x;GEVENT[a:5]=y;GEVENT[a]=z",
                        List.of(
                                new GenericEventMark("a", Instant.ofEpochSecond(5), "y"),
                                new GenericEventMark("a", null, "z"))),
                node(NodeAttributes.MESSAGE, "MESSAGE='a b'", "a b"),
                node(NodeAttributes.VARIABLE, "VARIABLE=os=linux;VARIABLE=big", Map.of("os", "linux", "big", "")),
                node(NodeAttributes.CAT, "CAT=HardwareFailure", "HardwareFailure"),
                node(NodeAttributes.POWER, "POWER=off", false),
                node(NodeAttributes.MAXTASK, "MAXTASK=3", 3),
                node(NodeAttributes.CURRENTTASK, "CURRENTTASK=2", 2),
                node(NodeAttributes.JOBLIST, "JOBLIST=1,job.2", List.of("1", "job.2")),
                node(NodeAttributes.CHARGERATE, "CHARGERATE=0.5", 0.5),
                node(NodeAttributes.NODEINDEX, "NODEINDEX=12", 12),
                node(NodeAttributes.EVENT, "EVENT=fan", "fan"),
                node(NodeAttributes.REMOVED, "REMOVED=1", true));
    }

    static Stream<Arguments> jobValues() {
        return Stream.of(
                job(JobAttributes.STATE, "STATE=Removed", JobState.CANCELLED),
                job(JobAttributes.STATE, "STATE=Canceled", JobState.CANCELLED),
                job(JobAttributes.STATE, "STATE=suspended", JobState.SUSPENDED),
                job(JobAttributes.UPDATETIME, "UPDATETIME=1700000000", T),
                job(JobAttributes.QUEUETIME, "QUEUETIME=1700000000", T),
                job(JobAttributes.STARTTIME, "STARTTIME=1700000000", T),
                job(JobAttributes.COMPLETIONTIME, "COMPLETIONTIME=1700000000", T),
                job(JobAttributes.STARTDATE, "STARTDATE=1700000000", T),
                job(JobAttributes.ENDDATE, "ENDDATE=1700000000", T),
                job(JobAttributes.WCLIMIT, "WCLIMIT=1:02:03", Duration.ofSeconds(3723)),
                job(JobAttributes.WCLIMIT, "WCLIMIT=1:00:00:00", Duration.ofDays(1)),
                job(JobAttributes.WCLIMIT, "WCLIMIT=90:00", Duration.ofMinutes(90)),
                job(JobAttributes.WCLIMIT, "WCLIMIT=0", Duration.ofDays(36_600)),
                job(JobAttributes.WCLIMIT, "WCLIMIT=00:00", Duration.ofDays(36_600)),
                job(JobAttributes.WCLIMIT, "WCLIMIT=-1", Duration.ofDays(36_600)),
                job(JobAttributes.WCLIMIT, "WCLIMIT=unlimited", Duration.ofDays(36_600)),
                job(JobAttributes.TASKS, "TASKS=3", 3),
                job(JobAttributes.NODES, "NODES=2", 2),
                job(JobAttributes.TASKPERNODE, "TASKPERNODE=4", 4),
                job(JobAttributes.DPROCS, "DPROCS=2", 2),
                job(JobAttributes.DMEM, "DMEM=1G", 1024L),
                job(JobAttributes.DDISK, "DDISK=5", 5L),
                job(JobAttributes.DSWAP, "DSWAP=6", 6L),
                job(JobAttributes.RMEM, "RMEM=7", 7L),
                job(JobAttributes.RMEMCMP, "RMEMCMP=>=", Comparison.AT_LEAST),
                job(JobAttributes.RSWAP, "RSWAP=8", 8L),
                job(JobAttributes.RSWAPCMP, "RSWAPCMP=<", Comparison.LESS),
                job(JobAttributes.RDISK, "RDISK=9", 9L),
                job(JobAttributes.RDISKCMP, "RDISKCMP===", Comparison.EQUAL),
                job(JobAttributes.RFEATURES, "RFEATURES=[fast][big]", Set.of("fast", "big")),
                job(JobAttributes.RFEATURES, "RFEATURES=fast:big", Set.of("fast", "big")),
                job(JobAttributes.RNETWORK, "RNETWORK=ib", "ib"),
                job(JobAttributes.ROPSYS, "ROPSYS=linux", "linux"),
                job(JobAttributes.RARCH, "RARCH=arm", "arm"),
                job(JobAttributes.RCLASS, "RCLASS=batch", Map.of("batch", Integer.MAX_VALUE)),
                job(JobAttributes.GRES, "GRES=gpu:2", Map.of("gpu", 2)),
                job(JobAttributes.UNAME, "UNAME=ann", "ann"),
                job(JobAttributes.GNAME, "GNAME=users", "users"),
                job(JobAttributes.ACCOUNT, "ACCOUNT=a", "a"),
                job(JobAttributes.QOS, "QOS=high", "high"),
                job(JobAttributes.NAME, "NAME='my job'", "my job"),
                job(JobAttributes.PARTITIONMASK, "PARTITIONMASK=[a][b]", Set.of("a", "b")),
                job(JobAttributes.TASKLIST, "TASKLIST=n2,n1,n2", List.of("n2", "n1", "n2")),
                job(JobAttributes.HOSTLIST, "HOSTLIST=n1:n2", List.of("n1", "n2")),
                job(JobAttributes.EXEC, "EXEC=/bin/a", "/bin/a"),
                job(JobAttributes.IWD, "IWD=/home/ann", "/home/ann"),
                job(JobAttributes.ARGS, "ARGS='-a -b'", "-a -b"),
                job(JobAttributes.ENV, "ENV='A=1 B=2'", "A=1 B=2"),
                job(JobAttributes.COMMENT, "COMMENT='QOS:high;X'", "QOS:high;X"),
                job(JobAttributes.PREF, "PREF=feature\\:fast&mem>=2048", "feature:fast&mem>=2048"),
                job(JobAttributes.RESERVATION, "RESERVATION=r.1", "r.1"),
                job(JobAttributes.EXITCODE, "EXITCODE=-1", -1),
                job(JobAttributes.SUSPENDTIME, "SUSPENDTIME=60", Duration.ofMinutes(1)),
                job(JobAttributes.REJCOUNT, "REJCOUNT=2", 2),
                job(JobAttributes.REJMESSAGE, "REJMESSAGE=no", "no"),
                job(JobAttributes.EVENT, "EVENT=x", "x"),
                job(JobAttributes.GMETRIC, "GMETRIC[flops]=1e9", Map.of("flops", 1e9)),
                job(
                        JobAttributes.GEVENT,
                        "GEVENT[x:1]=m",
                        List.of(new GenericEventMark("x", Instant.ofEpochSecond(1), "m"))),
                job(JobAttributes.VARIABLE, "VARIABLE=a=b=c", Map.of("a", "b=c")),
                job(JobAttributes.APPLICATION, "APPLICATION=cfd", "cfd"),
                job(JobAttributes.CPUTIME, "CPUTIME=100", Duration.ofSeconds(100)),
                job(JobAttributes.MEMUSED, "MEMUSED=3", 3L));
    }

    @ParameterizedTest
    @MethodSource({"nodeValues", "jobValues"})
    void shouldRead(Vocabulary vocabulary, Attribute<?> attribute, String pairs, Object expected) {
        Problems problems = new Problems();
        TextReader reader = new TextReader(vocabulary, problems);
        reader.read("test", "id " + pairs + "\n");

        assertThat(problems.first()).isEmpty();
        assertThat((Object) reader.objects().iterator().next().orNull(attribute))
                .isEqualTo(expected);
    }

    @Test
    void shouldHaveAnExampleOfEachNameOfTheFormat() {
        assertThat(NodeAttributes.VOCABULARY.names()).containsAll(NODE_NAMES);
        assertThat(JobAttributes.VOCABULARY.names()).containsAll(JOB_NAMES);
        assertThat(tried(nodeValues())).containsAll(attributes(NodeAttributes.VOCABULARY));
        assertThat(tried(jobValues())).containsAll(attributes(JobAttributes.VOCABULARY));
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
                "CPULOAD=Infinity",
                "CPUSPEED=fast",
                "SPEED=-1",
                "CCLASS=[batch:4",
                "CCLASS=batch:4]x[",
                "CCLASS=[:4]",
                "CCLASS=[batch:many]",
                "CRES=gpu:x",
                "CRES=:2",
                "CRES=2:gpu",
                "GMETRIC[]=1",
                "GMETRIC[t]=hot",
                "GEVENT[:5]=x",
                "GEVENT[x:]=y",
                "VARIABLE==x",
                "POWER=dim",
                "MAXTASK=-1",
                "NODEINDEX=-1",
                "REMOVED=perhaps",
                "STATE=Idle+Busy",
                "STATE=:reason",
                "STATE=+",
                "ARCH[1]=x"
            })
    void shouldLeaveOutWhatIsOutOfRange(String pair) {
        Problems problems = new Problems();
        TextReader reader = new TextReader(NodeAttributes.VOCABULARY, problems);
        reader.read("test", "n1 OS=linux;" + pair + "\n");

        assertThat(problems.first())
                .singleElement()
                .satisfies(problem -> assertThat(problem.text()).startsWith("n1 " + pair.split("[=\\[]", 2)[0]));
        assertThat(reader.objects())
                .singleElement()
                .satisfies(node -> assertThat(node.get(NodeAttributes.OS)).isEqualTo("linux"));
    }

    @Test
    void shouldHaveTheDefaultsOfTheFormat() {
        TextObject node = new TextObject("n");
        TextObject job = new TextObject("j");

        assertThat(node.get(NodeAttributes.CPROC)).isEqualTo(1);
        assertThat(node.get(NodeAttributes.CMEMORY) + node.get(NodeAttributes.CSWAP) + node.get(NodeAttributes.CDISK))
                .isZero();
        assertThat(node.get(NodeAttributes.CPULOAD)).isZero();
        assertThat(node.get(NodeAttributes.POWER)).isTrue();
        assertThat(node.get(NodeAttributes.CURRENTTASK)).isZero();
        assertThat(job.get(JobAttributes.STATE)).isEqualTo(JobState.IDLE);
        assertThat(job.get(JobAttributes.WCLIMIT)).isEqualTo(Duration.ofSeconds(864_000));
        assertThat(job.get(JobAttributes.TASKS)).isEqualTo(1);
        assertThat(job.get(JobAttributes.DPROCS)).isEqualTo(1);
    }

    private static Arguments node(Attribute<?> attribute, String pairs, Object expected) {
        return Arguments.of(NodeAttributes.VOCABULARY, attribute, pairs, expected);
    }

    private static Arguments job(Attribute<?> attribute, String pairs, Object expected) {
        return Arguments.of(JobAttributes.VOCABULARY, attribute, pairs, expected);
    }

    private static NodeCondition condition(NodeState state) {
        return new NodeCondition(state, false, null);
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
