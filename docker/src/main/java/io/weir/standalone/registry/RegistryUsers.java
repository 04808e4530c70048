package io.weir.standalone.registry;

import java.util.Optional;

/** Who may use a registry, and for what. Asked for every request, by several threads. */
@FunctionalInterface
public interface RegistryUsers {
    /** What somebody may do; each includes those before it. */
    enum Right {
        /** Looks schemas up. */
        READ,
        /** Registers schemas. */
        REGISTER,
        /** Changes compatibility levels. */
        ADMINISTER
    }

    /** Returns what {@code user} may do; empty when there is no such user, or the password is another one. */
    Optional<Right> rightOf(String user, String password);
}
