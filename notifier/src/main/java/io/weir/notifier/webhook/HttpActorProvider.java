package io.weir.notifier.webhook;

import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.ActorProvider;
import io.weir.notifier.spi.TrustedCertificates;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Actions of type {@code http}: requests to hosts that the settings list, and no others. Stateless. */
public final class HttpActorProvider implements ActorProvider {

    static final String HOSTS = "hosts";
    static final String CA_FILE = "ca.file";
    static final String TIMEOUT_MS = "timeout.ms";

    private static final int LANES = 4;

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    HOSTS,
                    Type.LIST,
                    List.of(),
                    ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                    Importance.HIGH,
                    "Hosts to which triggers may send requests, `name` or `name:port`; any other is refused.")
            .define(
                    CA_FILE,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "PEM file of the certificates to trust; if empty, those that the JVM trusts.")
            .define(
                    TIMEOUT_MS,
                    Type.INT,
                    10_000,
                    ConfigDef.Range.between(1, 120_000),
                    Importance.MEDIUM,
                    "How long a request may take unless its trigger says another time.");

    @Override
    public String actionType() {
        return "http";
    }

    @Override
    public int lanes() {
        return LANES;
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public Actor open(AbstractConfig settings) {
        Duration timeout = Duration.ofMillis(settings.getInt(TIMEOUT_MS));
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .sslContext(TrustedCertificates.context(CA_FILE, settings.getString(CA_FILE)))
                .build();
        return new HttpActor(settings.getList(HOSTS), new WebCall(client), timeout);
    }
}
