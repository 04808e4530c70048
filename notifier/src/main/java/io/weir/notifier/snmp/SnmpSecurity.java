package io.weir.notifier.snmp;

import io.weir.notifier.spi.SecretFile;
import java.util.Optional;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;

/** As whom a notification is sent. Immutable. */
sealed interface SnmpSecurity {

    /**
     * Version 2c: the community is all there is, and everybody on the way can read it.
     *
     * @param community the community
     */
    record Community(SecretFile community) implements SnmpSecurity {}

    /**
     * Version 3 with the user-based security model.
     *
     * @param name the user
     * @param engine id of the sending engine, which receivers of traps know the user by
     * @param authentication protocol of the authentication
     * @param authPassword its password; empty for neither authentication nor privacy
     * @param privacy protocol of the encryption
     * @param privPassword its password; empty for none
     */
    record User(
            String name,
            OctetString engine,
            OID authentication,
            Optional<SecretFile> authPassword,
            OID privacy,
            Optional<SecretFile> privPassword)
            implements SnmpSecurity {}
}
