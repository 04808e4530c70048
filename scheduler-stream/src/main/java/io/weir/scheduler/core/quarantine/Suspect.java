package io.weir.scheduler.core.quarantine;

import io.weir.schemas.QuarantineKind;

/**
 * An object of the cluster that may have brought about a failure.
 *
 * @param kind what it is
 * @param id its id
 */
public record Suspect(QuarantineKind kind, String id) {}
