package io.weir.notifier.runtime.loop;

import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * What a reader writes beside its position. Before it begins something that nobody could recognise as a repetition: that the
 * record at this position has been begun. The next position it writes takes that away. Records before the position that are still to
 * be handled are named, too. Otherwise only that it is the reader's own:
 * what somebody sets by hand has no mark, as has what an older build wrote.
 */
public final class BeginningMark {

    private static final String BEGUN = "begun";
    private static final String THROUGH = "begun through ";
    private static final String REACHED = "reached";
    private static final String ASIDE = ", aside ";
    private static final Pattern ONE_ASIDE = Pattern.compile("(\\d{1,18})#(\\d{1,9})");

    private BeginningMark() {}

    /** Returns the position of the record at {@code offset}, of which nothing has been begun. */
    static OffsetAndMetadata reached(long offset) {
        return new OffsetAndMetadata(offset, REACHED);
    }

    /** Says whether a reader wrote {@code position} and had not begun the record there. */
    static boolean isReached(OffsetAndMetadata position) {
        return own(position).equals(REACHED);
    }

    /** Says whether a reader wrote {@code position}. */
    static boolean isOwn(OffsetAndMetadata position) {
        String text = own(position);
        return text.equals(REACHED) || text.equals(BEGUN) || text.startsWith(THROUGH);
    }

    /** Returns the position of the record at {@code offset}, marked as begun. */
    static OffsetAndMetadata at(long offset) {
        return new OffsetAndMetadata(offset, BEGUN);
    }

    /** Returns the offset of the record that had been begun when {@code position} was written; empty when none had. */
    public static OptionalLong offset(OffsetAndMetadata position) {
        return own(position).equals(BEGUN) ? OptionalLong.of(position.offset()) : OptionalLong.empty();
    }

    /** Returns the position {@code from}, marked as the first of several that were begun together, up to {@code through}. */
    static OffsetAndMetadata through(long from, long through) {
        return new OffsetAndMetadata(from, THROUGH + through);
    }

    /** Returns the offset up to which several had been begun together; empty when none had. */
    static OptionalLong through(OffsetAndMetadata position) {
        String text = own(position);
        if (!text.startsWith(THROUGH) || !text.substring(THROUGH.length()).matches("\\d{1,18}")) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Long.parseLong(text.substring(THROUGH.length())));
    }

    /** Returns {@code position} with the offsets before it that are set aside, and which attempt at each is next. */
    static OffsetAndMetadata withAside(OffsetAndMetadata position, SortedMap<Long, Integer> attempts) {
        if (attempts.isEmpty()) {
            return position;
        }
        String aside = attempts.entrySet().stream()
                .map(each -> each.getKey() + "#" + each.getValue())
                .collect(Collectors.joining(" "));
        return new OffsetAndMetadata(position.offset(), position.metadata() + ASIDE + aside);
    }

    /** Returns the offsets that were set aside when {@code position} was written, and which attempt at each is next. */
    static SortedMap<Long, Integer> aside(OffsetAndMetadata position) {
        SortedMap<Long, Integer> attempts = new TreeMap<>();
        Matcher matcher = ONE_ASIDE.matcher(position.metadata());
        while (matcher.find()) {
            attempts.put(Long.parseLong(matcher.group(1)), Integer.parseInt(matcher.group(2)));
        }
        return attempts;
    }

    private static String own(OffsetAndMetadata position) {
        return position.metadata().split(ASIDE, 2)[0];
    }
}
