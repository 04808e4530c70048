/**
 * What a resource manager looks like to Weir, and nothing more: no Kafka, no configuration library, no logging. This
 * package imports the JDK and the generated records only; whatever two integrations share beyond it does not belong here.
 *
 * <h2>Life-cycle</h2>
 *
 * A {@link io.weir.rm.spi.ResourceManagerProvider} is found by {@link java.util.ServiceLoader}; its type is what the
 * key {@code rm.type} names. The connector opens one {@link io.weir.rm.spi.ResourceManager} per process, uses it until
 * it stops and closes it. Opening validates the settings and may fail; it need not reach the resource manager, which may
 * be away at that moment. Across restarts the connector asks the newly opened object about commands an earlier process
 * may have carried out, so what {@link io.weir.rm.spi.ResourceManager#lookup lookup} knows has to outlive the process: it
 * comes from the resource manager itself (a command id written on the job), not from the object's memory.
 *
 * <h2>Threads and ownership</h2>
 *
 * Every method is called by one thread, the connector's runner, and never concurrently; an implementation needs no locks.
 * A call may block for as long as one exchange with the resource manager takes, but has to end: an implementation sets
 * time limits of its own. It never sleeps: what takes longer, such as a job that is to leave its nodes, becomes an
 * {@link io.weir.rm.spi.Ongoing} that the runner looks at again, while it polls and carries out other commands. Interruption asks it to give up at once with a {@link io.weir.rm.spi.RetriableRmException}. The runner closes the
 * resource manager; the resource manager closes whatever it opened. Records handed over are never changed afterwards by
 * either side.
 *
 * <h2>Answers and failures</h2>
 *
 * A refusal is an {@linkplain io.weir.rm.spi.RmAnswer answer}, not an exception: the resource manager was reached and
 * said no. {@link io.weir.rm.spi.RetriableRmException} says that it is away for the moment (a timeout, a closed
 * connection): the runner waits and tries again, and no integration retries by itself.
 * {@link io.weir.rm.spi.RmException} says that trying again is of no use until a person has acted.
 *
 * <h2>Order</h2>
 *
 * Commands are begun in the order of their numbers. A command about a job (or a node, or a reservation) is begun when all
 * earlier ones about the same are answered; those about others need not be.
 *
 * <h2>Once, and no more than once</h2>
 *
 * A command has an id. If {@code execute} ended without an answer, the command may have taken effect all the same, so the
 * runner never repeats it blindly: it {@linkplain io.weir.rm.spi.ResourceManager#lookup asks what is true} first. An
 * implementation that can write the id on the job (a comment, an attribute) does so in the same call that acts, and finds
 * it there later. One that cannot answers UNKNOWN, and the runner judges by the next poll.
 *
 * <h2>Time</h2>
 *
 * {@link io.weir.rm.spi.ResourceManager#now now} is the resource manager's clock, in whole seconds; every instant in a
 * report is of that clock. A live resource manager is polled by the wall clock. A simulated one may offer
 * {@link io.weir.rm.spi.VirtualTime}: then time stands still between two polls and the runner, not the wall clock, moves
 * it on, in lock step with the scheduler.
 */
@NullMarked
package io.weir.rm.spi;

import org.jspecify.annotations.NullMarked;
