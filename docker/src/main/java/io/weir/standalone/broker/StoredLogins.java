package io.weir.standalone.broker;

import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credential;
import io.weir.standalone.access.Credentials;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.plain.PlainAuthenticateCallback;
import org.apache.kafka.common.security.scram.ScramCredential;
import org.apache.kafka.common.security.scram.ScramCredentialCallback;
import org.apache.kafka.common.security.scram.internals.ScramFormatter;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;

/**
 * What the broker checks a login against: the credential files of the data directory, read at each login. Kafka's own way
 * keeps SCRAM credentials in its metadata log; there a directory of an older release would need a login to get its first
 * login, the controller's listener could not use them, and a lost file would lock its owner out.
 *
 * <p>By PLAIN, which sends the password, nobody but a reader is let in: clients made with librdkafka before 2.6.1 cannot
 * do SCRAM with this broker, and whoever listens on a stopped broker's port is not to learn more than to read. Thread-safe.
 */
public final class StoredLogins implements AuthenticateCallbackHandler {
    /** The broker setting that says where the files are. */
    static final String DIRECTORY = "weir.credentials.directory";

    /** The least that SCRAM-SHA-256 allows: the passwords are random, nobody guesses them. */
    private static final int ITERATIONS = 4_096;

    private final Map<Credential, ScramCredential> derived = new ConcurrentHashMap<>();
    private Credentials credentials = new Credentials(Path.of(""));

    /** Made by the broker. */
    public StoredLogins() {}

    @Override
    public void configure(Map<String, ?> settings, String mechanism, List<AppConfigurationEntry> jaas) {
        credentials = new Credentials(Path.of(String.valueOf(settings.get(DIRECTORY))));
    }

    @Override
    public void handle(Callback[] callbacks) throws UnsupportedCallbackException {
        Optional<Credential> found = Optional.empty();
        for (Callback callback : callbacks) {
            if (callback instanceof NameCallback name) {
                found = credentials.find(name.getDefaultName());
            } else if (callback instanceof PlainAuthenticateCallback plain) {
                plain.authenticated(found.filter(known -> known.user().equals(Account.READER.name()))
                        .filter(known -> isSame(known.kafkaPassword(), new String(plain.password())))
                        .isPresent());
            } else if (callback instanceof ScramCredentialCallback wanted) {
                found.ifPresent(known -> wanted.scramCredential(derived.computeIfAbsent(known, StoredLogins::derive)));
            } else {
                throw new UnsupportedCallbackException(callback);
            }
        }
    }

    /** Takes as long for a wrong password as for the right one. */
    private static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private static ScramCredential derive(Credential credential) {
        try {
            return new ScramFormatter(ScramMechanism.SCRAM_SHA_256)
                    .generateCredential(credential.kafkaPassword(), ITERATIONS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    @Override
    public void close() {
        derived.clear();
    }
}
