package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.scheduler.Feature;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.TriggerFiring;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every variable whose value others than administrators have a say in, put into every place of every type of action that
 * leaves the scheduler: whatever its value is, the action has the same parts as with a harmless word. That the receivers keep
 * to these parts is tested in the notifier.
 */
@NullUnmarked
class TriggerInjectionTest {
    private static final List<String> HOSTILE = List.of(
            "$(touch HIT) `touch HIT`; touch HIT | x && y # $HOME ${OID}",
            "--force\n-rf /\r\n\t*",
            "'); DROP TABLE t; -- ? | second | third",
            "x\r\nBcc: victim@example.org\r\n\r\nbody\r\n.\r\n",
            "../../evil?x=1&y=2#z%00%0d%0a @evil:1/",
            "https://evil/ \"}],\"evil\":{\"a\":[\"\\",
            "\u001b[2J\u007f\u0085\u2028\u2029",
            "|subject|body");

    private static final String CONTROL = "[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]";

    /** Where a value comes from, and under which names it is put in. */
    enum Source {
        NODE_ID("OID", "HOSTLIST"),
        NODE_REASON("MESSAGE"),
        NODE_OS("OS"),
        NODE_VARIABLE("x"),
        JOB_ID("OID", "JOBID"),
        JOB_OWNER("USER", "OWNER", "OWNERMAIL"),
        JOB_VARIABLE("x"),
        JOB_HOST("MASTERHOST", "HOSTLIST"),
        PROGRAM_OUTPUT("x"),
        RESERVATION_VARIABLE("x"),
        RESERVATION_COMMENT("OBJECTXML"),
        RESERVATION_HOST("HOSTLIST"),
        RESERVATION_OS("OS");

        private final List<String> names;

        Source(String... names) {
            this.names = List.of(names);
        }

        /** Names, and what requests say, are not taken in with control characters. */
        private boolean isPlain() {
            return switch (this) {
                case NODE_ID,
                        JOB_ID,
                        JOB_OWNER,
                        JOB_HOST,
                        RESERVATION_VARIABLE,
                        RESERVATION_COMMENT,
                        RESERVATION_HOST -> true;
                case NODE_REASON, NODE_OS, NODE_VARIABLE, JOB_VARIABLE, PROGRAM_OUTPUT, RESERVATION_OS -> false;
            };
        }

        private String in(Source source, String value, String harmless) {
            return this == source ? value : harmless;
        }
    }

    /** Types of actions, with every place in which they take variables. */
    private static List<String> actions(String name) {
        String v = "$" + name;
        return List.of(
                "AType=exec,Action=\"/opt/fix " + v + " --why=" + v + " 'two " + v + "'\",Env=A=" + v,
                "AType=mail,Action=\"about " + v + "|it says " + v + "\"",
                "AType=dbupdate,Action=\"site UPDATE t SET a=? WHERE b=? | " + v + " | is " + v + "\"",
                "AType=http,Action=\"POST https://h.example.org/a/" + v + "/b?c=" + v + " text " + v + "\",Env=H_X_Y="
                        + v,
                "AType=http,Action=\"PUT https://h.example.org/ {\\\"a\\\":\\\"" + v + "\\\",\\\"b\\\":[\\\"is " + v
                        + "\\\"]}\"",
                "AType=event,Action=\"sitetopic says " + v + "\"",
                "AType=snmp,Action=\"trap.example.org:162 public 1.3.6.1 says " + v + "\"");
    }

    static Stream<Arguments> everyVariableOfEverySource() {
        return Stream.of(Source.values())
                .flatMap(source -> source.names.stream().map(name -> Arguments.of(source, name)));
    }

    @ParameterizedTest(name = "{1} from {0}")
    @MethodSource("everyVariableOfEverySource")
    @Feature({"TRIG-4", "TRIG-5", "TRIG-6", "TRIG-7", "TRIG-8"})
    void shouldBeAPartOfItsPlaceAndNothingElse(Source source, String name) {
        SortedMap<String, List<String>> harmless = shapes(source, name, "word");
        assertThat(harmless).containsOnlyKeys("dbupdate", "event", "exec", "http", "http json", "mail", "snmp");
        for (String hostile : HOSTILE) {
            assertThat(shapes(source, name, hostile)).as(hostile).isEqualTo(harmless);
        }
    }

    private static SortedMap<String, List<String>> shapes(Source source, String name, String hostile) {
        String value = source.isPlain() ? hostile.replaceAll(CONTROL, " ") : hostile;
        SortedMap<String, List<String>> shapes = new TreeMap<>();
        List<TriggerFiring> firings = switch (source) {
            case NODE_ID, NODE_REASON, NODE_OS, NODE_VARIABLE -> ofNode(source, name, value);
            case JOB_ID, JOB_OWNER, JOB_VARIABLE -> ofJob(source, name, value);
            case JOB_HOST -> ofJobOn(name, value);
            case PROGRAM_OUTPUT -> ofProgram(name, value);
            case RESERVATION_VARIABLE, RESERVATION_COMMENT, RESERVATION_HOST, RESERVATION_OS ->
                ofReservation(source, name, value);
        };
        firings.forEach(firing -> shapes.put(kind(firing), shape(firing)));
        return shapes;
    }

    private static String kind(TriggerFiring firing) {
        return isJson(firing) ? "http json" : firing.getActionType();
    }

    private static boolean isJson(TriggerFiring firing) {
        return firing.getActionType().equals("http") && firing.getSettings().contains(new NameValue("method", "PUT"));
    }

    private static SchedulerFixture site(String before, String name) {
        StringBuilder policy = new StringBuilder("ADMINCFG[1] USERS=root\n");
        actions(name).forEach(action -> policy.append(before).append(action).append('\n'));
        return new SchedulerFixture().policy(policy.toString());
    }

    private static List<TriggerFiring> ofJobOn(String name, String host) {
        SchedulerFixture site = site("CLASSCFG[batch] TRIGGER=EType=start,", name)
                .node(host, 4, NodeState.IDLE)
                .submit("17", 4, 100, job -> job.setJobClass("batch"))
                .iterate(0);
        return site.iterate(1).lastFirings();
    }

    /** What a program of another trigger of the node said. */
    private static List<TriggerFiring> ofProgram(String name, String value) {
        SchedulerFixture site = site(
                        "NODECFG[n1] TRIGGER=EType=end,AType=exec,Action=/opt/ask,Sets=x\n"
                                + "NODECFG[n1] TRIGGER=EType=fail,Requires=x,",
                        name)
                .nodes(1, 4)
                .adopt("j", 4, 100, 0, "n1")
                .iterate(0);
        site.end("j", 1).iterate(1);
        site.lastFirings()
                .forEach(firing -> site.fact(DeliveryResult.newBuilder()
                        .setCluster(SchedulerFixture.CLUSTER)
                        .setDeliveryId(firing.getFiringId())
                        .setChannel("exec")
                        .setOutcome(DeliveryOutcome.DELIVERED)
                        .setAttempts(1)
                        .setTime(SchedulerFixture.at(1))
                        .setKind("firing")
                        .setVariables(List.of(new NameValue("x", value)))
                        .build()));
        return site.node("n1", 4, NodeState.DOWN).iterate(2).lastFirings();
    }

    private static List<TriggerFiring> ofReservation(Source source, String name, String value) {
        SchedulerFixture site = site("RSVPROFILE[p] TRIGGER=EType=start,Offset=10,", name)
                .node(
                        source.in(Source.RESERVATION_HOST, value, "n1"),
                        4,
                        NodeState.IDLE,
                        node -> node.setOs(source.in(Source.RESERVATION_OS, value, "linux")))
                .iterate(0);
        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "ALL"),
                                new NameValue("profile", "p"),
                                new NameValue("comment", source.in(Source.RESERVATION_COMMENT, value, "why")),
                                new NameValue("variable", "x=" + source.in(Source.RESERVATION_VARIABLE, value, "y"))))
                .iterate(0);
        assertThat(site.lastAnswers())
                .singleElement()
                .satisfies(answer ->
                        assertThat(answer.getOutcome()).as(answer.getMessage()).isEqualTo(RequestOutcome.ACCEPTED));
        return site.iterate(10).lastFirings();
    }

    private static List<TriggerFiring> ofNode(Source source, String name, String value) {
        StringBuilder policy = new StringBuilder("ADMINCFG[1] USERS=root\n");
        actions(name)
                .forEach(action -> policy.append("NODECFG[DEFAULT] TRIGGER=EType=fail,")
                        .append(action)
                        .append('\n'));
        SchedulerFixture site = new SchedulerFixture().policy(policy.toString());
        String id = source.in(Source.NODE_ID, value, "n1");
        for (NodeState state : List.of(NodeState.IDLE, NodeState.DOWN)) {
            site.node(
                            id,
                            4,
                            state,
                            node -> node.setReason(source.in(Source.NODE_REASON, value, "broken"))
                                    .setOs(source.in(Source.NODE_OS, value, "linux"))
                                    .setVariables(
                                            List.of(new NameValue("x", source.in(Source.NODE_VARIABLE, value, "y")))))
                    .iterate(state == NodeState.IDLE ? 0 : 10);
        }
        return site.lastFirings();
    }

    private static List<TriggerFiring> ofJob(Source source, String name, String value) {
        StringBuilder policy = new StringBuilder("ADMINCFG[1] USERS=root\n");
        actions(name)
                .forEach(action -> policy.append("CLASSCFG[batch] TRIGGER=EType=hold,")
                        .append(action)
                        .append('\n'));
        SchedulerFixture site =
                new SchedulerFixture().policy(policy.toString()).nodes(1, 4).adopt("other", 4, 1_000, 0, "n1");
        String id = source.in(Source.JOB_ID, value, "17");
        site.submit(
                        id,
                        4,
                        100,
                        job -> job.setUser(source.in(Source.JOB_OWNER, value, "ann"))
                                .setJobClass("batch"))
                .iterate(0);
        site.request(
                        "v",
                        RequestKind.MODIFY_JOB,
                        id,
                        List.of(new NameValue("variable", "x=" + source.in(Source.JOB_VARIABLE, value, "y"))))
                .iterate(10);
        List<TriggerFiring> firings = new ArrayList<>();
        site.request("h", RequestKind.HOLD_JOB, id).iterate(20);
        firings.addAll(site.lastFirings());
        site.iterate(21);
        firings.addAll(site.lastFirings());
        return firings;
    }

    /** What of a firing has to be the same whatever the value is. */
    private static List<String> shape(TriggerFiring firing) {
        List<String> shape = new ArrayList<>();
        shape.add(firing.getArguments().size() + " arguments");
        shape.add(firing.getRecipients().size() + " recipients");
        firing.getEnvironment().forEach(entry -> shape.add(line(entry)));
        switch (firing.getActionType()) {
            case "exec" -> {
                shape.add(firing.getTarget());
                firing.getArguments().forEach(argument -> assertThat(argument).doesNotContainPattern(CONTROL));
                assertThat(firing.getArguments().get(0)).doesNotStartWith("-");
                assertThat(firing.getArguments().get(1)).startsWith("--why=");
                assertThat(firing.getArguments().get(2)).startsWith("two ");
            }
            case "dbupdate" ->
                shape.addAll(List.of(firing.getTarget(), firing.getSettings().toString()));
            case "mail" -> firing.getSettings().forEach(setting -> shape.add(line(setting)));
            case "http" -> {
                if (isJson(firing)) {
                    shape.add(parts(firing.getBody()));
                    return shape;
                }
                URI uri = URI.create(firing.getTarget());
                shape.add(uri.getScheme() + "://" + uri.getRawAuthority() + " " + uri.getRawFragment());
                shape.add(uri.getRawPath().split("/", -1).length + " parts of the path");
                shape.add(uri.getRawQuery().split("[&=]", -1).length + " parts of the query");
                firing.getSettings().forEach(setting -> shape.add(line(setting)));
                assertThat(firing.getBody()).startsWith("text ");
            }
            case "event" -> {
                shape.add(firing.getTarget());
                assertThat(firing.getBody()).startsWith("says ");
                assertThat(firing.getBody().replace("\n", "")).doesNotContainPattern(CONTROL);
            }
            case "snmp" -> {
                shape.addAll(List.of(firing.getTarget(), firing.getSettings().toString()));
                assertThat(firing.getBody()).startsWith("says ").doesNotContainPattern(CONTROL);
                assertThat(firing.getAction()).doesNotContainPattern(CONTROL);
            }
            default -> throw new AssertionError(firing);
        }
        return shape;
    }

    /** The names and kinds of what is in a JSON text. */
    private static String parts(String json) {
        try {
            JsonNode root = new ObjectMapper()
                    .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                    .readTree(json);
            List<String> names = new ArrayList<>();
            root.fieldNames().forEachRemaining(names::add);
            return names + " " + root.path("a").getNodeType() + " "
                    + root.path("b").size() + " " + root.path("b").path(0).getNodeType();
        } catch (JsonProcessingException e) {
            throw new AssertionError(json, e);
        }
    }

    private static String line(NameValue entry) {
        assertThat(entry.getValue()).doesNotContainPattern(CONTROL);
        return entry.getName();
    }
}
