package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.SlurmNode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Slurm gives to a job as a whole, by its plug-in for the selection of nodes. */
enum ProcUnit {
    /** Cores with all their threads (select/cons_tres and select/cons_res). */
    CORE,
    /** Sockets (CR_Socket). */
    SOCKET,
    /** Whole nodes (select/linear). */
    NODE;

    private static final Pattern TYPE = Pattern.compile("(?m)^SelectType\\s*=\\s*(\\S+)");
    private static final Pattern PARAMETERS = Pattern.compile("(?m)^SelectTypeParameters\\s*=\\s*(\\S+)");

    /** Reads what {@code scontrol show config} says. */
    static ProcUnit of(String config) {
        if (word(TYPE, config).equals("select/linear")) {
            return NODE;
        }
        return word(PARAMETERS, config).contains("cr_socket") ? SOCKET : CORE;
    }

    private static String word(Pattern pattern, String config) {
        Matcher matcher = pattern.matcher(config);
        return matcher.find() ? matcher.group(1).toLowerCase(Locale.ROOT) : "";
    }

    /** Returns how many processors of a node go to one job together, at least 1. */
    int on(SlurmNode node) {
        return switch (this) {
            case CORE -> node.threads();
            case SOCKET -> node.socketProcs();
            case NODE -> node.procs();
        };
    }
}
