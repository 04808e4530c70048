package io.weir.command.terminal;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/**
 * Passes text on to a terminal without what would steer it, wherever in the text it comes from: names, messages and comments
 * are the words of users and resource managers. Ends of lines and tabs stay; nothing is kept back.
 */
public final class PrintableWriter extends FilterWriter {

    /** Passes text on to {@code terminal}. */
    public PrintableWriter(Writer terminal) {
        super(terminal);
    }

    @Override
    public void write(int c) throws IOException {
        write(String.valueOf((char) c), 0, 1);
    }

    @Override
    public void write(char[] text, int offset, int length) throws IOException {
        write(new String(text, offset, length), 0, length);
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        String printable = PrintableText.lines(text.substring(offset, offset + length), Integer.MAX_VALUE);
        out.write(printable, 0, printable.length());
    }
}
