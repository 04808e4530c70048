package io.weir.rm.nativerm.text;

import java.time.Instant;

/** What the text can say about the resource manager itself, and what a script can say about a command it carried out. */
public final class SystemTextAttributes {
    /** The resource manager's clock; in the answer to a command, when it took effect. */
    public static final TextAttribute<Instant> TIME = TextAttribute.of("TIME", Formats::instant);

    /** Version of the resource manager. */
    public static final TextAttribute<String> VERSION = TextAttribute.of("VERSION", Formats::text);

    /** What it has to say. */
    public static final TextAttribute<String> MESSAGE = TextAttribute.of("MESSAGE", Formats::text);

    /** All of them. */
    public static final Vocabulary VOCABULARY = new Vocabulary(TIME, VERSION, MESSAGE);

    private SystemTextAttributes() {}
}
