package io.weir.notifier.webhook;

import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.ActorProvider;
import io.weir.notifier.spi.TrustedCertificates;
import java.net.http.HttpClient;
import java.time.Duration;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Actions of type {@code lien}: an allocation manager is asked, before a job starts, whether its account can pay. Stateless. */
public final class LienActorProvider implements ActorProvider {

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    WebhookProvider.URL,
                    Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "Where the allocation manager takes liens: http or https. Redirects are not followed.")
            .define(
                    WebhookProvider.AUTHORIZATION_FILE,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "File that holds the Authorization header, such as `Bearer …`; read for every lien.")
            .define(
                    WebhookProvider.CA_FILE,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "PEM file of the certificates to trust; if empty, those that the JVM trusts.")
            .define(
                    WebhookProvider.TIMEOUT_MS,
                    Type.INT,
                    10_000,
                    ConfigDef.Range.between(1, 120_000),
                    Importance.MEDIUM,
                    "How long one attempt may take, unless TIMEOUT of AMCFG is shorter.");

    @Override
    public String actionType() {
        return "lien";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public Actor open(AbstractConfig settings) {
        Duration timeout = Duration.ofMillis(settings.getInt(WebhookProvider.TIMEOUT_MS));
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .sslContext(TrustedCertificates.context(
                        WebhookProvider.CA_FILE, settings.getString(WebhookProvider.CA_FILE)))
                .build();
        return new LienActor(
                WebhookProvider.urlOf(settings.getString(WebhookProvider.URL)),
                AuthorizationFile.of(settings),
                new WebCall(client),
                timeout);
    }
}
