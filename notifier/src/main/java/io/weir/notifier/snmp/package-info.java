/**
 * The channel that sends deliveries as SNMP notifications; {@code WEIR-MIB.txt} beside it describes them. Only what concerns
 * SNMP belongs here; nothing but the SPI may be imported from the notifier.
 */
@NullMarked
package io.weir.notifier.snmp;

import org.jspecify.annotations.NullMarked;
