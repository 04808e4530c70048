package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.CommandKind;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TriggerFiring;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Values that others than administrators have a say in, put into what the scheduler does itself: settings, requests and the
 * programs of GEVENTCFG. Whatever the value is, nothing else is done than with a harmless word.
 */
@NullUnmarked
class InnerInjectionTest {
    /** What a value tries to do, wherever it is put in. */
    private static final String HOSTILE = "x;state=Drained,power=OFF\nNODECFG[n2] PRIORITY=-1 \"TRIGGER=EType=fail\" #"
            + "?/bin/sh?-c $(reboot) `reboot` ${OID} :cancel:1 +=5\r\u2028\u0085";

    private static final String CONTROL = "[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]";

    private static SchedulerFixture site(String policy, String source, String value) {
        SchedulerFixture site = new SchedulerFixture().policy(policy).nodes(2, 4);
        site.node(
                        "n1",
                        4,
                        NodeState.IDLE,
                        node -> node.setOs(source.equals("OS") ? value : "linux")
                                .setVariables(List.of(new NameValue("x", source.equals("x") ? value : "y"))))
                .adopt("j", 2, 10_000, 0, "n1")
                .iterate(0);
        String message = source.equals("MESSAGE") ? value : "hot";
        site.fact(new GenericEvent(SchedulerFixture.CLUSTER, "go", "node", "n1", message, at(10), null, true, null));
        site.iterate(10);
        return site;
    }

    private static String trigger(String type, String action) {
        return "NODECFG[n1] TRIGGER=EType=gevent:go,AType=" + type + ",Action=\"" + action + "\"\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"MESSAGE", "OS", "x"})
    @Feature({"TRIG-3", "CAT-33"})
    void shouldChangeNoOtherSetting(String source) {
        String action = trigger("changeparam", "NODECFG[n2] COMMENT=$" + source);
        SchedulerFixture harmless = site(action, source, "word");
        SchedulerFixture hostile = site(action, source, HOSTILE);
        assertThat(harmless.policyText()).contains("COMMENT=word");
        assertThat(hostile.policyText()).doesNotContain(" PRIORITY=-1").doesNotContain("\"TRIGGER=EType=fail");
        assertThat(words(hostile.policyText())).isEqualTo(words(harmless.policyText()));
        SitePolicy.Reading reading = SitePolicy.read(hostile.policyText());
        assertThat(reading.problems()).isEmpty();
        assertThat(reading.policy().nodes().keySet())
                .isEqualTo(
                        SitePolicy.read(harmless.policyText()).policy().nodes().keySet());
        assertThat(reading.policy().nodes().get("n2").priority())
                .isEqualTo(SitePolicy.read("NODECFG[n2] COMMENT=word")
                        .policy()
                        .nodes()
                        .get("n2")
                        .priority());
    }

    private static List<Integer> words(String text) {
        return text.lines().map(line -> line.split("\\s+", -1).length).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"MESSAGE", "OS", "x"})
    @Feature({"TRIG-1", "CAT-33"})
    void shouldNameNoOtherObjectOrChange(String source) {
        String v = "$" + source;
        String policy = trigger("internal", "node:" + v + ":drain")
                + trigger("internal", "job:" + v + ":cancel")
                + trigger("internal", "rsv:" + v + ":cancel")
                + trigger("internal", "node:-:modify:message=" + v + ";variable=seen=" + v)
                + trigger("internal", "node:-:reserve:" + v)
                + trigger("jobaction", "modify:message=" + v)
                + trigger("jobaction", "signal:" + v);
        SchedulerFixture site = site(policy, source, HOSTILE);
        site.iterate(11);
        assertThat(site.outputs.stream()
                        .map(Output::value)
                        .filter(RmCommand.class::isInstance)
                        .map(command -> ((RmCommand) command).getKind()))
                .as("but that a reservation is to be shown")
                .containsExactly(CommandKind.CREATE_RESERVATION);
        assertThat(site.job("j").getMessages())
                .singleElement()
                .satisfies(
                        text -> assertThat(text).doesNotContainPattern(CONTROL).contains(";state=Drained"));
        assertThat(site.publishedReservations.values())
                .as("for no time that is one, until it is released")
                .singleElement()
                .satisfies(reservation -> assertThat(reservation.getEnd()).isAfter(at(10 * 365 * 86_400L)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"MESSAGE", "OS", "x"})
    @Feature({"NOTE-3", "TRIG-4"})
    void shouldBeOneArgumentOfTheProgramOfAnEvent(String source) {
        String policy =
                "GEVENTCFG[go] ACTION=execute:/opt/fix?$" + source + "?--why=$" + source + "?\"two $" + source + "\"";
        TriggerFiring harmless = run(policy, source, "word");
        assertThat(harmless.getArguments()).containsExactly("word", "--why=word", "two word");
        for (String value : List.of(HOSTILE, "--force\n?-rf ?/", "?a?b", "\"?c", "${OID}")) {
            TriggerFiring hostile = run(policy, source, value);
            assertThat(hostile.getTarget()).isEqualTo("/opt/fix");
            assertThat(hostile.getArguments()).hasSize(3).noneMatch(text -> text.matches("(?s).*" + CONTROL + ".*"));
            assertThat(hostile.getArguments().get(0)).doesNotStartWith("-");
            assertThat(hostile.getArguments().get(1)).startsWith("--why=");
            assertThat(hostile.getArguments().get(2)).startsWith("two ");
            assertThat(hostile.getArguments()).noneMatch(text -> text.contains("n1"));
            assertThat(hostile.getEnvironment()).isEqualTo(harmless.getEnvironment());
            assertThat(hostile.getSettings()).isEqualTo(harmless.getSettings());
        }
    }

    private static TriggerFiring run(String policy, String source, String value) {
        List<TriggerFiring> firings = site(policy, source, value).lastFirings();
        assertThat(firings).hasSize(1);
        return firings.get(0);
    }
}
