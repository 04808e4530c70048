package io.weir.scheduler.core.request.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NormalRequestTest {
    @Test
    void shouldReadNamesAndWordsInAnyLetterCase() throws Exception {
        NormalRequest request = of(RequestKind.HOLD_JOB, "TyPe", "SYStem");

        assertThat(request.values()).containsOnlyKeys("type").containsEntry("type", List.of("system"));
        assertThat(request.choice("type", HoldType.class)).isEqualTo(HoldType.SYSTEM);
    }

    @Test
    void shouldRefuseAnArgumentGivenTwice() {
        assertThatThrownBy(() -> of(RequestKind.RELEASE_JOB, "Type", "all", "type", "user"))
                .isInstanceOf(UnreadableRequestException.class)
                .hasMessage("argument type is given more than once; give it once");
        assertThatThrownBy(() -> of(RequestKind.MODIFY_JOB, "wclimit", "1", "walltime", "2"))
                .hasMessageContaining("wclimit is given more than once");
        assertThatThrownBy(() -> of(RequestKind.MODIFY_NODE, "gmetric[t]", "1", "GMETRIC[t]", "2"))
                .hasMessageContaining("gmetric[t] is given more than once");
    }

    @Test
    void shouldRefuseAnArgumentThatIsNotKnown() {
        assertThatThrownBy(() -> of(RequestKind.HOLD_JOB, "level", "1"))
                .hasMessage("unknown argument 'level' of HOLD_JOB; there is type");
        assertThatThrownBy(() -> of(RequestKind.SUSPEND_JOB, "force", "1"))
                .hasMessage("unknown argument 'force' of SUSPEND_JOB; there are none");
        assertThatThrownBy(() -> of(RequestKind.MODIFY_JOB, "account", "physics"))
                .hasMessageContaining("unknown argument 'account'")
                .hasMessageContaining("gmetric[NAME]");
    }

    /** The long s and the dotless i have S and I as capitals, the Kelvin sign has k as its small letter. */
    @ParameterizedTest
    @ValueSource(strings = {"u\u017fer", "\u0131", " user", "user ", "user\u0000", "\uff55ser", "", "user,all"})
    void shouldNotFoldOtherLettersIntoWords(String word) {
        assertThatThrownBy(() -> of(RequestKind.RELEASE_JOB, "type", word))
                .hasMessageEndingWith("user, system, batch, defer or all is needed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"typ\u0435", "type ", " type", "t\u0131me", "type\u200b", "t\u00fdpe"})
    void shouldNotFoldOtherLettersIntoNames(String name) {
        assertThatThrownBy(() -> of(RequestKind.RELEASE_JOB, name, "user")).hasMessageContaining("unknown argument");
    }

    @Test
    void shouldTellSingleLettersFromTheirCapitals() throws Exception {
        NormalRequest request = of(RequestKind.CREATE_RESERVATION, "d", "1:00", "D", "for tests", "a", "USER==a");

        assertThat(request.values()).containsOnlyKeys("duration", "comment", "acl");
    }

    @Test
    void shouldKeepTheOrderOfTheValuesOfOneArgument() throws Exception {
        NormalRequest request = of(RequestKind.MODIFY_JOB, "variable", "b=1", "qos", "high", "VARIABLE", "a=2");

        assertThat(request.arguments())
                .containsExactly(
                        new NameValue("qos", "high"),
                        new NameValue("variable", "b=1"),
                        new NameValue("variable", "a=2"));
    }

    @Test
    void shouldBoundWhatOneRequestBrings() {
        List<NameValue> many = Collections.nCopies(65, new NameValue("variable", "a"));
        assertThatThrownBy(() -> NormalRequest.of(RequestKind.MODIFY_JOB, "7", many))
                .hasMessage("the request has 65 arguments; at most 64 are allowed");
        List<NameValue> large = Collections.nCopies(5, new NameValue("variable", "x".repeat(16_384)));
        assertThatThrownBy(() -> NormalRequest.of(RequestKind.MODIFY_JOB, "7", large))
                .hasMessageContaining("all values together 65536");
        assertThatThrownBy(() -> of(RequestKind.MODIFY_JOB, "message", "x".repeat(16_385)))
                .hasMessageContaining("16385 characters");
    }

    /** However the arguments are written, one form comes out, and that form is its own. */
    @Test
    void shouldHaveOneFormWhateverTheOrderAndTheLetterCase() throws Exception {
        Random random = new Random(7);
        for (RequestKind kind : RequestKind.values()) {
            for (int trial = 0; trial < 50; trial++) {
                List<NameValue> plain = new ArrayList<>();
                for (ArgumentForm form : RequestSyntax.argumentsOf(kind)) {
                    String value = form.words().isEmpty()
                            ? "v" + random.nextInt(9)
                            : form.words().get(random.nextInt(form.words().size()));
                    plain.add(new NameValue(form.name(), value));
                }
                List<NameValue> written = new ArrayList<>();
                for (NameValue argument : plain) {
                    boolean word = !argument.getValue().startsWith("v");
                    written.add(new NameValue(
                            capitals(argument.getName(), random),
                            word ? capitals(argument.getValue(), random) : argument.getValue()));
                }
                Collections.shuffle(written, random);

                NormalRequest normal = NormalRequest.of(kind, "x", plain);
                assertThat(NormalRequest.of(kind, "x", written)).isEqualTo(normal);
                assertThat(NormalRequest.of(kind, "x", normal.arguments())).isEqualTo(normal);
            }
        }
    }

    private static String capitals(String text, Random random) {
        StringBuilder mixed = new StringBuilder();
        text.chars().forEach(c -> mixed.append((char) (random.nextBoolean() ? Character.toUpperCase(c) : c)));
        return mixed.toString();
    }

    private static NormalRequest of(RequestKind kind, String... arguments) throws UnreadableRequestException {
        List<NameValue> pairs = new ArrayList<>();
        for (int i = 0; i < arguments.length; i += 2) {
            pairs.add(new NameValue(arguments[i], arguments[i + 1]));
        }
        return NormalRequest.of(kind, "7", pairs);
    }
}
