package io.weir.scheduler.audit;

/**
 * Which part of the journal an audit compares.
 *
 * @param fromIteration first iteration to compare, at least 1; those before are only folded in
 * @param fromSnapshot whether to begin at the newest snapshot from which that can be had, where there is one
 */
public record AuditRange(long fromIteration, boolean fromSnapshot) {}
