package io.weir.scheduler.cli;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Why a file could not be read, for people. */
final class Unreadable {
    private Unreadable() {}

    /** Returns {@code failure} with the file and the reason in its message. */
    static IOException because(Path file, IOException failure) {
        return new IOException(message(file, failure), failure);
    }

    private static String message(Path file, IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "There is no file " + file;
        }
        if (failure instanceof AccessDeniedException) {
            return "Not permitted to read " + file;
        }
        if (failure instanceof EOFException) {
            return "Cannot read " + file + ": it ends in the midst of its compressed data; copy it again";
        }
        return "Cannot read " + file + ": " + failure.getMessage();
    }
}
