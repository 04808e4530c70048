package io.weir.notifier.webhook;

import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierProvider;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/** Channels of type {@code webhook}: every delivery is an HTTP POST of its JSON form to one URL. Stateless. */
public final class WebhookProvider implements NotifierProvider {

    static final String URL = "url";
    static final String TIMEOUT_MS = "timeout.ms";
    static final String AUTHORIZATION = "authorization";

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    URL,
                    ConfigDef.Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    ConfigDef.Importance.HIGH,
                    "Where to post to: http or https. Redirects are not followed.")
            .define(
                    AUTHORIZATION,
                    ConfigDef.Type.PASSWORD,
                    null,
                    ConfigDef.Importance.MEDIUM,
                    "Value of the Authorization header, such as `Bearer …`; no such header when unset.")
            .define(
                    TIMEOUT_MS,
                    ConfigDef.Type.INT,
                    10_000,
                    ConfigDef.Range.between(1, 120_000),
                    ConfigDef.Importance.MEDIUM,
                    "How long one attempt may take, connecting and answering together.");

    @Override
    public String type() {
        return "webhook";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public Notifier open(String channel, AbstractConfig settings) {
        URI url = urlOf(settings.getString(URL));
        Duration timeout = Duration.ofMillis(settings.getInt(TIMEOUT_MS));
        Optional<String> authorization =
                Optional.ofNullable(settings.getPassword(AUTHORIZATION)).map(Password::value);
        authorization.ifPresent(WebhookProvider::requireHeaderValue);
        return new WebhookNotifier(url, timeout, authorization, Clock.systemUTC());
    }

    private static URI urlOf(String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            throw new ConfigException(URL, text, "is not a URL: " + e.getReason());
        }
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if ((!scheme.equals("http") && !scheme.equals("https")) || url.getHost() == null) {
            throw new ConfigException(URL, text, "must be http://host… or https://host…");
        }
        return url;
    }

    /** A header value that cannot be sent is found here, and not once per delivery. */
    private static void requireHeaderValue(String value) {
        if (!value.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            throw new ConfigException(AUTHORIZATION, Password.HIDDEN, "must be printable ASCII on one line");
        }
    }
}
