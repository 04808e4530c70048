package io.weir.rm.nativerm.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EndpointTest {
    private static final Map<String, String> VARIABLES = Map.of("HOME", "/home/two words", "TOOLSDIR", "/opt/tools");

    @Test
    void shouldTakeACommandApart() {
        assertThat(parse("exec://$TOOLSDIR/q.sh --all \"a b\" 'c \"d' e\\ f ''"))
                .isEqualTo(new Endpoint.Exec(List.of("/opt/tools/q.sh", "--all", "a b", "c \"d", "e f", "")));
    }

    @Test
    void shouldExpandVariablesWithoutSplitting() {
        assertThat(parse("exec://${HOME}/q.sh $TOOLSDIR/x"))
                .isEqualTo(new Endpoint.Exec(List.of("/home/two words/q.sh", "/opt/tools/x")));
        assertThat(parse("file://$HOME/nodes")).isEqualTo(new Endpoint.File(Path.of("/home/two words/nodes")));
    }

    @Test
    void shouldReadWebAddresses() {
        assertThat(parse("http://rm:8080/nodes?all=1"))
                .isEqualTo(new Endpoint.Http(URI.create("http://rm:8080/nodes?all=1")));
        assertThat(parse("HTTPS://rm/nodes")).isInstanceOf(Endpoint.Http.class);
    }

    @Test
    void shouldNotShowSecretsOfAWebAddress() {
        assertThat(parse("https://user:secret@rm:1/q?token=secret")).hasToString("https://rm:1/q");
    }

    @Test
    void shouldSayWhatIsWrong() {
        assertThatThrownBy(() -> parse("kafka://topic"))
                .hasMessageContaining("kafka://topic")
                .hasMessageContaining("exec://");
        assertThatThrownBy(() -> parse("/bin/ls")).hasMessageContaining("/bin/ls");
        assertThatThrownBy(() -> parse("exec://")).hasMessageContaining("names no program");
        assertThatThrownBy(() -> parse("exec://q.sh")).hasMessageContaining("absolute");
        assertThatThrownBy(() -> parse("exec:///q.sh 'a")).hasMessageContaining("quote");
        assertThatThrownBy(() -> parse("exec://$NOWHERE/q.sh")).hasMessageContaining("NOWHERE");
        assertThatThrownBy(() -> parse("http:///x")).hasMessageContaining("host");
    }

    private static Endpoint parse(String url) {
        return Endpoint.parse(url, VARIABLES::get);
    }
}
