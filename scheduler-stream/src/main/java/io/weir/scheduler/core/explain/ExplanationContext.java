package io.weir.scheduler.core.explain;

import io.weir.scheduler.core.charge.LienTable;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.plugin.PluginAllocationTable;
import io.weir.scheduler.core.placement.selection.NodePlacer;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationTable;

/**
 * What explanations are found from: the tables of one cluster after the planning pass of an iteration.
 *
 * @param jobs jobs
 * @param nodes nodes
 * @param reservations reservations of jobs
 * @param administrativeReservations reservations that are no job's
 * @param access what these mean for jobs
 * @param placement what nodes have room for
 * @param sets node sets
 * @param pluginAllocations what allocation plug-ins were asked
 * @param liens what the allocation manager was asked
 * @param planned how many jobs at the head of the queue are planned
 * @param policy policy in force
 * @param now instant of the iteration, epoch seconds
 */
public record ExplanationContext(
        JobTable jobs,
        NodeTable nodes,
        ReservationTable reservations,
        AdministrativeReservationTable administrativeReservations,
        ReservationAccess access,
        NodePlacer placement,
        NodeSets sets,
        PluginAllocationTable pluginAllocations,
        LienTable liens,
        int planned,
        SitePolicy policy,
        long now) {}
