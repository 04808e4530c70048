package io.weir.topics;

import java.util.List;
import org.apache.avro.util.ClassSecurityValidator;

/**
 * Tells Avro that it may instantiate Weir's generated records: it refuses classes of packages it was not told about.
 *
 * <p>The setting is global to the JVM and is added to whatever was set before. {@link #install()} is called from the
 * static initialiser of every class that decodes records and may be called from any thread, any number of times.
 */
public final class AvroTrust {

    private static final List<String> TRUSTED_PACKAGES = List.of("io.weir.schemas", "io.weir.scheduler");

    private static boolean installed;

    private AvroTrust() {}

    /** Trusts Weir's generated packages and those below them from here on. */
    public static synchronized void install() {
        if (installed) {
            return;
        }
        ClassSecurityValidator.setGlobal(
                ClassSecurityValidator.composite(ClassSecurityValidator.getGlobal(), AvroTrust::isGenerated));
        installed = true;
    }

    private static boolean isGenerated(Class<?> type) {
        String name = type.getPackageName();
        return TRUSTED_PACKAGES.stream().anyMatch(trusted -> name.equals(trusted) || name.startsWith(trusted + "."));
    }
}
