package io.weir.notifier.webhook;

import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.ChargePeerProvider;
import io.weir.notifier.spi.TrustedCertificates;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** Peers of type {@code http}: every charge is an HTTP POST. Stateless. */
public final class ChargeWebProvider implements ChargePeerProvider {

    private static final String FORMAT = "format";
    private static final String LAGO = "lago";
    private static final String LAGO_CODE = "lago.code";

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    WebhookProvider.URL,
                    ConfigDef.Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    ConfigDef.Importance.HIGH,
                    "Where to post to: http or https, such as OpenMeter's `/api/v1/events`. Redirects are not followed.")
            .define(
                    FORMAT,
                    ConfigDef.Type.STRING,
                    "cloudevents",
                    ConfigDef.ValidString.in("cloudevents", LAGO),
                    ConfigDef.Importance.HIGH,
                    "`cloudevents` (OpenMeter's) or `lago`.")
            .define(
                    LAGO_CODE,
                    ConfigDef.Type.STRING,
                    "weir_charge",
                    new ConfigDef.NonEmptyString(),
                    ConfigDef.Importance.MEDIUM,
                    "Code of the Lago metric that the charges belong to.")
            .define(
                    WebhookProvider.AUTHORIZATION_FILE,
                    ConfigDef.Type.STRING,
                    "",
                    ConfigDef.Importance.MEDIUM,
                    "File that holds the Authorization header, such as `Bearer …`; read for every charge.")
            .define(
                    WebhookProvider.CA_FILE,
                    ConfigDef.Type.STRING,
                    "",
                    ConfigDef.Importance.MEDIUM,
                    "PEM file of the certificates to trust; if empty, those that the JVM trusts.")
            .define(
                    WebhookProvider.TIMEOUT_MS,
                    ConfigDef.Type.INT,
                    10_000,
                    ConfigDef.Range.between(1, 120_000),
                    ConfigDef.Importance.MEDIUM,
                    "How long one attempt may take.");

    @Override
    public String type() {
        return "http";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public ChargePeer open(String peer, AbstractConfig settings) {
        Duration timeout = Duration.ofMillis(settings.getInt(WebhookProvider.TIMEOUT_MS));
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .sslContext(TrustedCertificates.context(
                        WebhookProvider.CA_FILE, settings.getString(WebhookProvider.CA_FILE)))
                .build();
        return new ChargePost(
                WebhookProvider.urlOf(settings.getString(WebhookProvider.URL)),
                new ChargePost.Form(settings.getString(FORMAT).equals(LAGO), settings.getString(LAGO_CODE)),
                timeout,
                AuthorizationFile.of(settings),
                new WebCall(client),
                Clock.systemUTC());
    }
}
