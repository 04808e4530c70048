package io.weir.rm.slurm.client;

/**
 * How the processors of a node lie, or the least of each that a job asks for ({@code sbatch -B 2:8:1}). Immutable.
 *
 * @param sockets sockets, at least 1
 * @param cores cores of each socket, at least 1
 * @param threads threads of each core, at least 1
 */
public record ProcessorLayout(int sockets, int cores, int threads) {
    /** What every node has. */
    public static final ProcessorLayout LEAST = new ProcessorLayout(1, 1, 1);

    /** From so many on it is Slurm's word for any number. */
    static final int ANY = 0xfffe;

    /** Reads what a node has. */
    static ProcessorLayout ofNode(SlurmJson node) {
        return of(node, "sockets", "cores", "threads");
    }

    /** Reads what a job asks for. */
    static ProcessorLayout ofJob(SlurmJson job) {
        return of(job, "sockets_per_node", "cores_per_socket", "threads_per_core");
    }

    private static ProcessorLayout of(SlurmJson json, String sockets, String cores, String threads) {
        return new ProcessorLayout(number(json, sockets), number(json, cores), number(json, threads));
    }

    private static int number(SlurmJson json, String field) {
        int number = json.whole(field, 1);
        return number < ANY ? Math.max(1, number) : 1;
    }

    /** Says whether a node that is like this has as many of each as {@code asked}. */
    public boolean has(ProcessorLayout asked) {
        return sockets >= asked.sockets && cores >= asked.cores && threads >= asked.threads;
    }
}
