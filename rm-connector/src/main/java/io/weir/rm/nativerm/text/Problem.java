package io.weir.rm.nativerm.text;

/**
 * Something that could not be read and was left out.
 *
 * @param source where the text came from
 * @param line number of the line, from 1; 0 when no one line is to blame
 * @param text what is wrong with it
 */
public record Problem(String source, int line, String text) {
    @Override
    public String toString() {
        return line == 0 ? source + ": " + text : source + ":" + line + ": " + text;
    }
}
