package io.weir.rm.nativerm.call;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The processes that a program leaves behind, as {@code /proc} shows them; none where there is no such directory. The end
 * of a pipe does not tell: the JDK ends it for the reader when the program ends, whoever else still writes to it.
 *
 * @param leader process id of the program that leads the group
 */
record ProcessGroup(long leader) {
    private static final Path PROCESSES = Path.of("/proc");
    private static final int STATE = 0;
    private static final int GROUP = 2;

    /** Says whether a living process of the group has a pipe for its output. */
    boolean holdsOutput() {
        if (!Files.isDirectory(PROCESSES)) {
            return false;
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path process : processes) {
                if (belongs(process) && (isPipe(process.resolve("fd/1")) || isPipe(process.resolve("fd/2")))) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean belongs(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"));
            // The name, in parentheses, may contain anything.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", GROUP + 2);
            return !fields[STATE].equals("Z") && fields[GROUP].equals(Long.toString(leader));
        } catch (IOException | IndexOutOfBoundsException e) {
            // It has ended meanwhile.
            return false;
        }
    }

    private static boolean isPipe(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("pipe:");
        } catch (IOException e) {
            return false;
        }
    }
}
