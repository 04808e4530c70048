package io.weir.scheduler.core.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.scheduler.core.trigger.Substitution.Place;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every variable into every place that a trigger's or an event's text goes to, with values that look like syntax. */
class SubstitutionTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** The variables that texts may name, and one that a user set. */
    private static final List<String> VARIABLES = List.of(
            "ETYPE",
            "OID",
            "OTYPE",
            "TIME",
            "USER",
            "OWNER",
            "OWNERMAIL",
            "MASTERHOST",
            "HOSTLIST",
            "COMPLETIONCODE",
            "JOBID",
            "OBJECTXML",
            "OS",
            "METRIC",
            "VALUE",
            "THRESHOLD",
            "EVENT",
            "MESSAGE",
            "COUNT",
            "SEVERITY",
            "STATE",
            "CATEGORY",
            "MINE");

    private static final List<String> HOSTILE = List.of(
            "$ETYPE ${OTYPE} \\$OID",
            "x\r\nBcc: victim@example.org",
            "a'; DROP TABLE x;-- \"",
            "$(reboot) `reboot` ; reboot && reboot | reboot",
            "../../evil?x=1&y=2#z",
            "//evil@host:1/",
            "\"},\"evil\":{\"a\":\"\\",
            "\\",
            "\u0000\u001b[2J\u0085\u2028\u2029\t",
            "%0d%0aX: 1",
            "ß\uD83D\uDE80");

    static Stream<Arguments> everyVariableInEveryPlace() {
        return VARIABLES.stream().flatMap(name -> Stream.of(Place.values()).map(place -> Arguments.of(name, place)));
    }

    @ParameterizedTest(name = "{0} in {1}")
    @MethodSource("everyVariableInEveryPlace")
    void shouldPutValuesInWhereTheyCannotBecomeSyntax(String name, Place place) throws Exception {
        for (String hostile : HOSTILE) {
            SortedMap<String, String> values = new TreeMap<>();
            values.put("ETYPE", "known");
            values.put("OTYPE", "known");
            values.put(name, hostile);
            Substitution substitution = new Substitution(values);
            switch (place) {
                case TEXT ->
                    assertThat(substitution.expand("<$" + name + ">", place))
                            .startsWith("<")
                            .endsWith(">")
                            .hasSize(hostile.length() + 2)
                            .doesNotContainPattern("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029]");
                case LINE ->
                    assertThat(substitution.expand("<${" + name + "}>", place))
                            .startsWith("<")
                            .endsWith(">")
                            .hasSize(hostile.length() + 2)
                            .doesNotContainPattern("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]");
                case ARGUMENT ->
                    assertThat(substitution.expand("$" + name, place))
                            .isEqualTo(substitution.expand("$" + name, Place.LINE));
                case VALUE ->
                    assertThat(substitution.expand("$" + name, place))
                            .isEqualTo(substitution.expand("$" + name, Place.LINE));
                case SETTING ->
                    assertThat(substitution.expand("<$" + name + ">", place))
                            .startsWith("<")
                            .endsWith(">")
                            .doesNotContainPattern("[\\x00-\\x20\"'=#;$\\\\\\[\\]\\x7f-\\x9f]");
                case ADDRESS -> {
                    URI address = new URI(substitution.expand(
                            "https://host.example.org/nodes/x$" + name + "/down?why=$" + name + "&end=1", place));
                    assertThat(address.getHost()).isEqualTo("host.example.org");
                    assertThat(address.getUserInfo()).isNull();
                    assertThat(address.getFragment()).isNull();
                    assertThat(address.getRawPath().split("/", -1)).hasSize(4);
                    assertThat(address.getRawQuery().split("&", -1)).hasSize(2);
                }
                case JSON -> {
                    JsonNode tree = MAPPER.readTree(substitution.expand(
                            "{\"a\": \"$" + name + "\", \"b\": {\"c\": \"${" + name + "}\"}}", place));
                    assertThat(tree.size()).isEqualTo(2);
                    assertThat(tree.path("b").size()).isEqualTo(1);
                    assertThat(tree.path("a").textValue())
                            .isEqualTo(tree.path("b").path("c").textValue())
                            .hasSize(hostile.length());
                }
            }
        }
    }

    @Test
    void shouldMakeNoOptionAndNoOperatorOfAValue() {
        Substitution substitution = new Substitution(
                new TreeMap<>(Map.of("A", "--force", "B", "-=gpu", "C", "+=gpu", "D", "=gpu", "E", "plain")));

        assertThat(List.of("$A", "-$A", "x$A", "$E", "--$E"))
                .extracting(text -> substitution.expand(text, Place.ARGUMENT))
                .containsExactly(" --force", "---force", "x--force", "plain", "--plain");
        assertThat(List.of("$B", "$C", "$D", "+=$E", "=$D", "$E", "$A"))
                .extracting(text -> substitution.expand(text, Place.VALUE))
                .containsExactly(" -=gpu", " +=gpu", " =gpu", "+=plain", "==gpu", "plain", "--force");
    }

    @Test
    void shouldLeaveUnknownNamesAndEscapedSignsAsTheyAre() {
        Substitution substitution = new Substitution(new TreeMap<>(Map.of("OID", "n1")));

        assertThat(substitution.expand("$OID ${OID}s $NOBODY ${NOBODY} ${OID \\$OID $ $$OID", Place.LINE))
                .isEqualTo("n1 n1s $NOBODY ${NOBODY} ${OID $OID $ $n1");
    }
}
