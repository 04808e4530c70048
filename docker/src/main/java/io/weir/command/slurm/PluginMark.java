package io.weir.command.slurm;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The last line of a plug-in that Weir wrote beside slurm.conf: it tells whether somebody changed the file since. */
final class PluginMark {
    private static final String WORDS = " Written by weir slurm takeover; digest of the lines above: ";

    private PluginMark() {}

    /** Returns the text with its mark. */
    static String on(String text) {
        return text + (text.startsWith("--") ? "--" : "#") + WORDS + digest(text) + "\n";
    }

    /** Says whether a text has a mark and is as it was when it was marked, whatever build wrote it. */
    static boolean isIntact(String text) {
        int words = text.lastIndexOf(WORDS);
        int start = text.lastIndexOf('\n', words) + 1;
        return words >= 0 && on(text.substring(0, start)).equals(text);
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
