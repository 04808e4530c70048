package io.weir.scheduler.core.charge;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.policy.scheduler.ChargeSettings.ChargePolicy;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.schemas.Charge;
import java.time.Instant;
import java.util.SortedMap;
import java.util.stream.Stream;

/** How a charge is written: what of a run it is about, and whose it is. Stateless. */
final class ChargeDraft {
    private static final int MOST_NODES = 1_000;

    private ChargeDraft() {}

    /** Begins the charge of what was counted of {@code run} and not charged; an amount below zero, thousandths, gives back. */
    static Charge.Builder of(ChargedRun run, long amount, ChargePolicy policy) {
        boolean back = amount < 0;
        Quantities more = back ? run.charged.minus(run.counted) : run.counted.minus(run.charged);
        long processors = more.processorSeconds();
        long rate = processors == 0 ? 1_000 : more.weighted() / processors;
        return Charge.newBuilder()
                .setChargeId(run.nextId())
                .setIteration(0)
                .setObjectType(run.objectType)
                .setObjectId(run.objectId)
                .setStart(Instant.ofEpochSecond(Math.min(run.chargedTo, run.countedTo)))
                .setEnd(Instant.ofEpochSecond(Math.max(run.chargedTo, run.countedTo)))
                .setReservedProcSeconds(more.reserved())
                .setUsedProcSeconds(run.isOfJob() ? processors : more.used())
                .setAmountMillis(Math.abs(amount))
                .setKind(back ? "refund" : "charge")
                .setCorrects(back ? run.lastId : null)
                .setTariff(policy.name())
                .setRateMillis(rate)
                .setProcessorSeconds(processors)
                .setNodeSeconds(more.nodeSeconds())
                .setGpuSeconds(more.gpuSeconds())
                .setMemoryMbSeconds(more.memoryMbSeconds())
                .setNumber(run.number);
    }

    /** Has the credentials of a job that ran on {@code nodes} pay; the first of these are named. */
    static void toOwner(Charge.Builder charge, Job job, Stream<String> nodes) {
        JobCredentials credentials = job.request().credentials();
        charge.setAccount(credentials.account())
                .setUser(credentials.user())
                .setGroup(credentials.group())
                .setQos(job.qos())
                .setJobClass(credentials.jobClass())
                .setNodes(nodes.limit(MOST_NODES).toList());
    }

    /** Has those pay who answer for a reservation; the first of its nodes are named. */
    static void toAccountable(Charge.Builder charge, AdministrativeReservation reservation) {
        SortedMap<String, String> accountable = reservation.terms().accountable();
        charge.setAccount(accountable.get("aaccount"))
                .setUser(accountable.get("auser"))
                .setGroup(accountable.get("agroup"))
                .setQos(accountable.get("aqos"))
                .setPartition(reservation.terms().partition())
                .setNodes(reservation.nodeIds().stream().limit(MOST_NODES).toList());
    }
}
