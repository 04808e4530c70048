package io.weir.scheduler.query.nonstop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@NullUnmarked
class CallbackRulesTest {
    private static final CallbackRules RULES = CallbackRules.of(List.of(
            "10.1.0.0/16", "[192.168.7.0/24]:9000-9999", "[fd00::/8]:80", "head.example:8443", "*.apps.example"));

    @ParameterizedTest
    @CsvSource({
        "http://10.1.2.3/, true",
        "http://10.1.2.3:5000/any?x=1, true",
        "https://10.1.2.3/, true",
        "http://10.2.2.3/, false",
        "http://192.168.7.9:9000/, true",
        "http://192.168.7.9:8999/, false",
        "http://192.168.8.9:9000/, false",
        "http://[fd00::1]/, true",
        "http://[fd00::1]:81/, false",
        "http://[fe80::1]/, false",
        "https://head.example:8443/x, true",
        "https://HEAD.example:8443/x, true",
        "https://head.example/x, false",
        "https://evilhead.example:8443/x, false",
        "http://a.apps.example/, true",
        "http://apps.example/, false",
        "http://apps.example.evil.example/, false",
        "http://10.1.2.3@evil.example/, false",
        "http://169.254.169.254/latest/meta-data, false",
        "http://127.0.0.1/, false",
        "http://2130706433/, false",
        "ftp://10.1.2.3/, false",
        "file:///etc/passwd, false",
        "http:///nowhere, false",
        "nothing at all, false"
    })
    void shouldAllowWhatIsNamedAlone(String endpoint, boolean allowed) {
        assertThat(RULES.resolve(endpoint).isPresent()).isEqualTo(allowed);
        if (allowed) {
            assertThat(RULES.mayAllow(endpoint)).isTrue();
        }
    }

    @Test
    void shouldAllowNothingWithoutRules() {
        CallbackRules none = CallbackRules.of(List.of(""));
        assertThat(none.mayAllow("http://127.0.0.1/")).isFalse();
        assertThat(none.resolve("http://127.0.0.1/")).isEmpty();
    }

    /** A name that leads into an allowed network is connected to at the address that was looked at. */
    @Test
    void shouldPinTheAddressOfANameInANetwork() {
        CallbackRules loopback = CallbackRules.of(List.of("127.0.0.0/8"));
        assertThat(loopback.resolve("http://localhost:81/p?q=1")).contains(URI.create("http://127.0.0.1:81/p?q=1"));
        // The certificate is that of a name: with the name alone, somebody else could be behind it a moment later.
        assertThat(loopback.mayAllow("https://localhost:81/")).isFalse();
        assertThat(loopback.resolve("https://localhost:81/")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.0/33",
                "10.0.0.0/x",
                "a b",
                "*",
                "*.",
                "http://x",
                "x:0",
                "x:9-8",
                "x:70000",
                "[::/129]",
                ":80",
                "300.1.1.1"
            })
    void shouldNameARuleThatCannotBeUnderstood(String text) {
        assertThatThrownBy(() -> CallbackRules.of(List.of(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
