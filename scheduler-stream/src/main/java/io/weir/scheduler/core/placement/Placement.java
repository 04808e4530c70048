package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.policy.node.ResourceKind;
import java.util.BitSet;
import java.util.List;

/** What the plan asks about nodes: which would do, and which of those that are free to take. */
public interface Placement {
    /**
     * Returns the positions of the nodes that could run tasks of {@code requirement} when nothing else runs, whatever
     * their state; not to be written. The answer depends only on the node configuration, the policy and the request, and of
     * the number of tasks of a job's only requirement on no more than {@link #tasksTogether}.
     */
    BitSet feasible(Job job, Requirement requirement);

    /** Returns the positions of the nodes each of which has to get tasks of {@code requirement}; not to be written. */
    BitSet required(Requirement requirement);

    /**
     * Returns how many tasks of {@code requirement} a node takes together or not at all; 0 where there are fewer tasks than
     * nodes to use, so that no nodes will ever do.
     */
    int tasksTogether(Requirement requirement);

    /**
     * Returns whether the nodes chosen for a later start stay the same from pass to pass as long as no node, no job and
     * no reservation that ends later changes.
     */
    boolean settled();

    /**
     * Returns a number that tells which nodes take nothing now for another reason than their jobs, and count as unavailable for
     * some time from now on, whenever that is; 0 for none. By all odds it differs where other nodes do.
     */
    long delayed();

    /**
     * Returns whether alike nodes are all the same to {@code job}: they are taken by slack and index, each filled before the
     * next, whatever else they have done or will do.
     */
    boolean indifferent(Job job);

    /**
     * Returns whether the nodes chosen for a later start of {@code job} would be chosen again when others have taken of what
     * it leaves.
     */
    boolean steady(Job job);

    /**
     * Returns from which end the nodes with something free are looked at for {@code job} on the node at {@code position} and
     * others of its partition, when the first with room are taken, each filled before the next; NONE where all have to be looked
     * at.
     */
    IndexOrder filledFrom(Job job, int position);

    /**
     * Returns from which end the nodes with something free are looked at for {@code job} on the node at {@code position} and
     * others of its partition, when the first with room for all of its tasks is taken, where one has; NONE where that is not so.
     */
    IndexOrder wholeFrom(Job job, int position);

    /**
     * Returns whether any nodes with room enough will do for {@code job}: not where its allocation policy asks for more, such
     * as one run of indexes.
     */
    boolean takesAnyNodes(Job job);

    /**
     * Returns whether the tasks of each requirement of {@code job} have to lie on nodes of consecutive indexes in the partition of
     * the node at {@code position}.
     */
    boolean consecutive(Job job, int position);

    /**
     * Returns whether requirement {@code number} of {@code job} could ever be placed as its allocation policy has it.
     *
     * @param idle the feasible nodes of one partition with what they hold when nothing runs there
     */
    boolean everHolds(Job job, int number, Requirement requirement, Candidates idle);

    /**
     * Returns whether it matters for a place which jobs are there, so that jobs that ask for the same may differ: to whom
     * they belong, or how many they are.
     */
    boolean personal();

    /**
     * Returns whether the node at {@code position} takes no tasks now for another reason than what jobs were given: its
     * state, its load, or memory that others use.
     */
    boolean busy(int position);

    /**
     * Returns the positions of nodes that are assumed to be used for more than was measured, so that what they may give can
     * change though nothing was heard of them; not to be written.
     */
    BitSet assumed();

    /**
     * Returns how many tasks of {@code requirement} of {@code job} the jobs now on the node at {@code position} that may
     * still be there at {@code start}, epoch seconds, let share it, and the caps of the node beside them.
     *
     * @param planned what jobs that wait are to hold there while {@code job} would run; these have to let it in too
     */
    int admitted(int position, Job job, Requirement requirement, long start, List<PlannedShare> planned);

    /**
     * Returns whether all tasks of {@code job} may start now where {@code shares} lie: these nodes have room for them at
     * present, measured use included, and {@link #startsOn}. Reservations are not looked at.
     */
    boolean admits(Job job, List<TaskShare> shares);

    /** Returns whether the allocation policy lets {@code job} start now on the nodes of {@code shares}, whatever room these have. */
    boolean startsOn(Job job, List<TaskShare> shares);

    /**
     * Returns how much of {@code resource} the node at {@code position} may give to jobs that start now, as the
     * availability policy judges; more than what is undedicated where a policy packs by measured use.
     */
    long ready(int position, ResourceKind resource);

    /**
     * Returns how many tasks of {@code requirement} the node at {@code position} can take for {@code job} now, as its
     * state, its load, its limits and the other jobs on it allow; reservations are not looked at.
     */
    int present(int position, Job job, Requirement requirement);

    /**
     * Counts {@code share} as taken by the job now looked at, in the answers about its other requirements, until
     * {@link #settle}.
     */
    void promise(TaskShare share, Requirement requirement);

    /** Forgets all promises. */
    void settle();

    /**
     * Returns where the tasks of requirement {@code requirement} of {@code job}, or some of them, go when it starts at
     * {@code start}; an empty list when these nodes cannot hold them in the way they have to be placed.
     *
     * @param part the requirement, or the part of it to place
     * @param candidates nodes with what each can hold during the whole interval
     * @param start start, epoch seconds
     * @param immediate whether that is now
     */
    List<TaskShare> choose(
            Job job, int requirement, Requirement part, Candidates candidates, long start, boolean immediate);
}
