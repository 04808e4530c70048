package io.weir.scheduler.core.charge;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.scheduler.ChargeSettings;
import io.weir.schemas.Charge;
import org.jspecify.annotations.Nullable;

/**
 * How charges are made under the policy in force. Immutable.
 *
 * @param cluster the cluster that charges
 * @param settings whether, when and by what is charged
 * @param since since when what is used is charged, epoch seconds; {@link Job#NONE} for always
 * @param tariff what things cost
 */
record ChargeTerms(String cluster, ChargeSettings settings, long since, Tariff tariff) {
    /** Returns the terms under which nothing is charged. */
    static ChargeTerms off(String cluster, NodeTable nodes) {
        return new ChargeTerms(cluster, ChargeSettings.OFF, Job.NONE, new Tariff(SitePolicy.DEFAULT, nodes));
    }

    /**
     * Begins the charge of what was counted of {@code run} and not charged.
     *
     * @param amount thousandths; below zero it gives back
     * @param reason why the run is over; null while it lasts
     * @param interim whether the run lasts
     */
    Charge.Builder draft(ChargedRun run, long amount, @Nullable String reason, boolean interim) {
        return ChargeDraft.of(run, amount, settings.policy())
                .setCluster(cluster)
                .setEndReason(reason)
                .setInterim(interim);
    }
}
