package io.weir.notifier.snmp;

import java.util.Map;
import java.util.Optional;
import org.snmp4j.PDU;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.VariableBinding;

/** Puts into words why a receiver of version 3 reports a message instead of taking it in (RFC 3414). */
final class SnmpReport {
    private static final Map<OID, String> REASONS = Map.of(
            SnmpConstants.usmStatsUnsupportedSecLevels,
                    "usmStatsUnsupportedSecLevels: it does not take this user without authentication or encryption, or not with"
                            + " them",
            SnmpConstants.usmStatsNotInTimeWindows, "usmStatsNotInTimeWindows: the clocks of the engines do not agree",
            SnmpConstants.usmStatsUnknownUserNames,
                    "usmStatsUnknownUserNames: it does not know the user; for informs it needs a createUser without -e",
            SnmpConstants.usmStatsUnknownEngineIDs, "usmStatsUnknownEngineIDs: it does not know the engine",
            SnmpConstants.usmStatsWrongDigests,
                    "usmStatsWrongDigests: the authentication password or its algorithm is another one there",
            SnmpConstants.usmStatsDecryptionErrors,
                    "usmStatsDecryptionErrors: the encryption password or its algorithm is another one there");

    private SnmpReport() {}

    /** Returns the reason, or the variables of {@code report} as they are where it is none of those known. */
    static String of(PDU report) {
        return report.getVariableBindings().stream()
                .map(VariableBinding::getOid)
                .flatMap(oid -> Optional.ofNullable(REASONS.get(oid)).stream())
                .findFirst()
                .orElseGet(() -> report.getVariableBindings().toString());
    }
}
