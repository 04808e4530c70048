package io.weir.rm.nativerm;

import io.weir.rm.nativerm.call.Reply;
import io.weir.rm.nativerm.text.Problems;
import io.weir.rm.nativerm.text.SystemTextAttributes;
import io.weir.rm.nativerm.text.TextObject;
import io.weir.rm.nativerm.text.TextReader;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandOutcome;
import java.time.Instant;
import java.util.Iterator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the answer to an action. {@code SC=n} at the start of a line tells: negative is a refusal; without it the end of
 * the call tells. After the number there may be {@code TIME=seconds}, when it took effect, and {@code MESSAGE=text}.
 */
final class ActionAnswer {
    private static final Pattern STATUS = Pattern.compile("(?im)^\\s*SC=(-?\\d{1,9})(?![^\\s;])[\\s;]*(.*)$");
    private static final int WORDS_KEPT = 500;

    private ActionAnswer() {}

    /** Returns the resource manager's word, given its clock after the call. */
    static RmAnswer of(Reply reply, Instant now) {
        if (!reply.success()) {
            return RmAnswer.refused(reply.failure());
        }
        Matcher status = STATUS.matcher(reply.output());
        if (!status.find()) {
            return RmAnswer.done(now);
        }
        String rest = status.group(2);
        @Nullable TextObject told = told(rest);
        @Nullable String message = told == null ? null : told.orNull(SystemTextAttributes.MESSAGE);
        if (Integer.parseInt(status.group(1)) < 0) {
            String words = message != null ? message : words(reply.output(), status);
            return RmAnswer.refused("SC=" + status.group(1) + (words.isEmpty() ? "" : ": " + words));
        }
        @Nullable Instant time = told == null ? null : told.orNull(SystemTextAttributes.TIME);
        return new RmAnswer(CommandOutcome.DONE, time != null ? time : now, message);
    }

    private static @Nullable TextObject told(String attributes) {
        TextReader reader = new TextReader(SystemTextAttributes.VOCABULARY, new Problems());
        reader.read("answer", "answer " + attributes);
        Iterator<TextObject> objects = reader.objects().iterator();
        return objects.hasNext() ? objects.next() : null;
    }

    /** Returns the output without the status, in one line. */
    private static String words(String output, Matcher status) {
        String words = (status.group(2) + " " + output.substring(0, status.start()) + " "
                        + output.substring(status.end()))
                .strip()
                .replaceAll("\\s+", " ");
        return words.length() > WORDS_KEPT ? words.substring(0, WORDS_KEPT) + "..." : words;
    }
}
