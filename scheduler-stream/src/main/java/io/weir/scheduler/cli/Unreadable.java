package io.weir.scheduler.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Why a file could not be read, for people. */
final class Unreadable {
    private Unreadable() {}

    static String message(Path file, IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "There is no file " + failure.getMessage();
        }
        if (failure instanceof CharacterCodingException) {
            return file + " or a file it includes is not UTF-8";
        }
        String why = failure.getMessage();
        return why != null && why.contains(file.getFileName().toString()) ? why : "Cannot read " + file + ": " + why;
    }
}
