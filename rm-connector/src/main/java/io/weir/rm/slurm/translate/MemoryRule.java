package io.weir.rm.slurm.translate;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether Slurm counts the memory that jobs have of a node. */
enum MemoryRule {
    /** Nobody can be asked. */
    UNKNOWN,
    /** It does (CR_Core_Memory and the like): a job that asks for none has all of its nodes'. */
    COUNTED,
    /** It does not (CR_CPU, CR_Core, CR_Socket): a node has to have as much as a job asks for, whatever others are there. */
    UNCOUNTED;

    private static final Pattern PARAMETERS = Pattern.compile("(?mi)^SelectTypeParameters\\s*=(.*)$");

    /** Reads what {@code scontrol show config} says. */
    static MemoryRule of(String config) {
        Matcher parameters = PARAMETERS.matcher(config);
        if (!parameters.find()) {
            return UNKNOWN;
        }
        return parameters.group(1).toUpperCase(Locale.ROOT).contains("MEMORY") ? COUNTED : UNCOUNTED;
    }
}
