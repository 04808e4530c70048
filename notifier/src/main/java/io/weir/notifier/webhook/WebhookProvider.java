package io.weir.notifier.webhook;

import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierProvider;
import io.weir.notifier.spi.SecretFile;
import io.weir.notifier.spi.TrustedCertificates;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
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
    static final String AUTHORIZATION_FILE = "authorization.file";
    static final String SIGNATURE_FILE = "signature.key.file";
    static final String CA_FILE = "ca.file";

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
                    "Value of the Authorization header, such as `Bearer …`; if unset, the header is not sent.")
            .define(
                    AUTHORIZATION_FILE,
                    ConfigDef.Type.STRING,
                    "",
                    ConfigDef.Importance.MEDIUM,
                    "File that holds that value; read for every delivery. Set at most one of the two.")
            .define(
                    SIGNATURE_FILE,
                    ConfigDef.Type.STRING,
                    "",
                    ConfigDef.Importance.MEDIUM,
                    "File that holds the key for signing requests in `X-Weir-Signature`; if empty, requests are not"
                            + " signed.")
            .define(
                    CA_FILE,
                    ConfigDef.Type.STRING,
                    "",
                    ConfigDef.Importance.MEDIUM,
                    "PEM file of the certificates to trust; if empty, those that the JVM trusts.")
            .define(
                    TIMEOUT_MS,
                    ConfigDef.Type.INT,
                    10_000,
                    ConfigDef.Range.between(1, 120_000),
                    ConfigDef.Importance.MEDIUM,
                    "How long one attempt may take, from connecting to the answer.");

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
        Optional<AuthorizationFile> file = AuthorizationFile.of(settings);
        if (authorization.isPresent() && file.isPresent()) {
            throw new ConfigException(AUTHORIZATION + " and " + AUTHORIZATION_FILE + " exclude each other; unset one");
        }
        Optional<SecretFile> signature = SecretFile.of(settings, SIGNATURE_FILE);
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .sslContext(TrustedCertificates.context(CA_FILE, settings.getString(CA_FILE)))
                .build();
        Clock clock = Clock.systemUTC();
        WebhookRequests requests = new WebhookRequests(
                url,
                timeout,
                () -> file.isPresent() ? Optional.of(file.get().read()) : authorization,
                signature.map(key -> new RequestSignature(key, clock)));
        return new WebhookNotifier(requests, new WebCall(client), clock);
    }

    /** Reads a URL; what is wrong with it is said without the URL, which may hold secrets. */
    static URI urlOf(String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            throw new ConfigException(URL, Password.HIDDEN, "is not a URL: " + e.getReason());
        }
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if ((!scheme.equals("http") && !scheme.equals("https")) || url.getHost() == null) {
            throw new ConfigException(URL, Password.HIDDEN, "must be http://host… or https://host…");
        }
        if (url.getUserInfo() != null) {
            throw new ConfigException(
                    URL,
                    Password.HIDDEN,
                    "names a user, whom nobody sends: use " + AUTHORIZATION_FILE + " or " + AUTHORIZATION);
        }
        return url;
    }

    /** Scheme, host and port alone: paths, queries and users of URLs hold secrets. */
    static String receiver(URI url) {
        return url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
    }

    /** A header value that cannot be sent is found here, and not once per delivery. */
    private static void requireHeaderValue(String value) {
        if (!AuthorizationFile.isHeaderValue(value)) {
            throw new ConfigException(AUTHORIZATION, Password.HIDDEN, "must be printable ASCII on one line");
        }
    }
}
