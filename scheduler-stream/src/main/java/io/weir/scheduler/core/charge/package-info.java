/**
 * The ledger of charges: what jobs and reservations cost, as entries that are never rewritten. Whom to send them to is the
 * notifier's business.
 */
@NullMarked
package io.weir.scheduler.core.charge;

import org.jspecify.annotations.NullMarked;
