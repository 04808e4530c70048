package io.weir.scheduler.core.timeline;

import java.util.Arrays;

/**
 * The gaps in the timelines of a list of nodes, by the time at which they begin: intervals during which a node has room
 * for one task of a need that is called the floor. Every interval in which a node could hold a task of any need that takes
 * at least as much lies inside one of them, so that a search for such a need looks only at nodes whose gaps are long
 * enough, and comes upon them in the order of time.
 *
 * <p>A gap may be out of date as long as it is too large: what is taken out of it later is noticed, and the gap broken
 * up, when a search comes upon it. What is given back has to be told ({@link #giveBack}). Gaps lie on pages of equal
 * length in time; two trees over the pages find those with a gap that reaches far enough, or is long enough. Gaps shorter
 * than any duration asked for so far are left out.
 */
public final class GapIndex {
    /** Numbers kept of a gap: first instant, end, place of the timeline, its version that was looked at. */
    private static final int WIDTH = 4;

    /** What all pages together cover at first, as a power of two in seconds, and at most. */
    private static final int FIRST_SPAN = 20;

    private static final int LAST_SPAN = 24;

    /** Fewest and most pages; within that two to four for a node, so that a page has few gaps however large the cluster. */
    private static final int FEWEST_PAGES = 256;

    private static final int MOST_PAGES = 8192;

    /** Gaps on the last page, which takes all that are later, at which pages become longer. */
    private static final int CROWDED = 512;

    private final TimelineRow row;

    /** How many nodes there are in question; the places behind are those of copies of their timelines. */
    private final int nodes;

    /** By place, the number of the timeline, ascending, and its node. */
    private int[] numbers;

    private int[] positions;

    private int places;
    private final TaskNeed floor;

    /** By node, the number of the timeline that counts for the searches that go on. */
    private int[] view = {};

    /** What the timelines lost lately, and the number under which losses of the floor are noted there. */
    private final TimelineLosses losses;

    private final int noted;

    /** Number of pages, a power of two. */
    private final int count;

    private final int[][] pages;
    private final int[] sizes;

    /** Latest end of a gap on the pages below each node of a binary tree; leaves from {@link #count} on. */
    private final int[] latest;

    /** The same of the longest gap. */
    private final int[] longest;

    /** Length of a page, as a power of two in seconds. */
    private int shift;

    /** Shortest duration asked for so far. */
    private int grain;

    /** Whether nothing was asked yet, and no gap found. */
    private boolean blank = true;

    /**
     * Creates the index of some nodes, with their own timelines alone.
     *
     * @param row timelines of all nodes
     * @param nodes the nodes in question, ascending
     * @param floor what at least has to fit
     */
    public GapIndex(TimelineRow row, int[] nodes, TaskNeed floor) {
        this.row = row;
        this.nodes = nodes.length;
        this.floor = floor;
        numbers = nodes.clone();
        positions = nodes.clone();
        places = nodes.length;
        losses = row.losses();
        boolean plain =
                floor.resources().length == 1 && floor.resources()[0] == 0 && floor.sharing() != NodeSharing.NOBODY;
        noted = plain ? losses.follow(floor.amounts()[0]) : TimelineLosses.EVERY;
        count = Math.max(FEWEST_PAGES, Math.min(MOST_PAGES, Integer.highestOneBit(4 * nodes.length)));
        pages = new int[count][];
        sizes = new int[count];
        latest = new int[2 * count];
        longest = new int[2 * count];
    }

    /** Forgets everything, copies of timelines too: the timelines start anew. */
    public void clear() {
        blank = true;
        places = nodes;
    }

    /** Adds a copy of the timeline of one of the nodes, of a higher number than all before. */
    public void add(int number) {
        if (places == numbers.length) {
            numbers = Arrays.copyOf(numbers, places + places / 2 + 1);
            positions = Arrays.copyOf(positions, numbers.length);
        }
        numbers[places] = number;
        positions[places] = row.node(number);
        places++;
        if (!blank) {
            breakUp(0, ResourceTimeline.NEVER, places - 1);
        }
    }

    /** Hears that the timeline of that number may have more room during [from, to) than it had. */
    public void giveBack(int number, int from, int to) {
        int place = Arrays.binarySearch(numbers, 0, places, number);
        if (place < 0 || blank) {
            return;
        }
        ResourceTimeline line = line(place);
        int start = Math.min(from, line.fitsSince(floor, from));
        while (start < to) {
            start = line.fitsFrom(floor, start);
            if (start < to) {
                int end = line.fitsUntil(floor, start, ResourceTimeline.NEVER);
                add(start, end, place, version(place));
                start = end;
            }
        }
    }

    ResourceTimeline line(int place) {
        return row.at(numbers[place]);
    }

    private int version(int place) {
        return losses.version(noted, numbers[place]);
    }

    int position(int place) {
        return positions[place];
    }

    int places() {
        return places;
    }

    TaskNeed floor() {
        return floor;
    }

    /**
     * Makes ready for searches for {@code duration} on this index; not while another one goes on.
     *
     * @param through by node, the number of the timeline that counts
     */
    public void open(int duration, int[] through) {
        view = through;
        while (!blank && sizes[count - 1] > CROWDED && span() < LAST_SPAN) {
            lengthenPages();
        }
        if (duration >= grain && !blank) {
            return;
        }
        blank = false;
        grain = duration;
        shift += FIRST_SPAN - span();
        Arrays.fill(sizes, 0);
        Arrays.fill(latest, 0);
        Arrays.fill(longest, 0);
        for (int place = 0; place < places; place++) {
            breakUp(0, ResourceTimeline.NEVER, place);
        }
    }

    /** Returns what all pages together cover, as a power of two in seconds. */
    private int span() {
        return Integer.numberOfTrailingZeros(count) + shift;
    }

    /**
     * Returns the first page up to the one of {@code at}, after page {@code after}, with a gap that ends at {@code end}
     * or later; -1 for none.
     */
    int reaching(int after, int at, int end) {
        int page = first(latest, after + 1, end);
        return page > page(at) ? -1 : page;
    }

    /** Returns the first page after {@code after} with a gap of at least {@code duration}; -1 for none. */
    int next(int after, int duration) {
        return first(longest, after + 1, duration);
    }

    /** Returns the page on which gaps that begin at {@code instant} lie. */
    int page(int instant) {
        return Math.min(count - 1, instant >>> shift);
    }

    /** Returns the first instant of a page. */
    int start(int page) {
        return page << shift;
    }

    /** Tells {@code sweep} of every gap on a page with room for {@code duration} from {@code at} on. */
    void read(int page, int at, int duration, StartTimeScan scan) {
        boolean changed = false;
        boolean copies = places > nodes;
        for (int i = 0; i < sizes[page] * WIDTH; ) {
            int[] gaps = pages[page];
            int start = Math.max(gaps[i], at);
            if (length(start, gaps[i + 1]) < duration) {
                i += WIDTH;
                continue;
            }
            int place = gaps[i + 2];
            if (copies && view[positions[place]] != numbers[place]) {
                i += WIDTH;
                continue;
            }
            int version = version(place);
            if (gaps[i + 3] == version) {
                scan.meet(place, start);
                i += WIDTH;
            } else {
                changed |= refresh(page, i, version);
            }
        }
        if (changed) {
            settle(page);
        }
    }

    /**
     * Brings the gap at {@code i} of a page up to date: leaves in its place what is left at its beginning, or another gap
     * if nothing is, and adds the rest. Returns whether it is not what it was.
     */
    private boolean refresh(int page, int i, int version) {
        int[] gaps = pages[page];
        int from = gaps[i];
        int until = gaps[i + 1];
        int place = gaps[i + 2];
        int left = losses.left(noted, numbers[place], gaps[i + 3], from, until);
        int end = from;
        if (left == TimelineLosses.UNKNOWN) {
            end = line(place).fitsUntil(floor, from, until);
        } else if (left > 0 && losses.from(0) == from) {
            end = losses.to(0);
        }
        gaps[i + 1] = end;
        gaps[i + 3] = version;
        if (end == until) {
            return false;
        }
        if (length(from, end) < grain) {
            int last = --sizes[page] * WIDTH;
            System.arraycopy(gaps, last, gaps, i, WIDTH);
        }
        if (left == TimelineLosses.UNKNOWN) {
            breakUp(end, until, place);
        }
        for (int piece = end == from ? 0 : 1; piece < left; piece++) {
            add(losses.from(piece), losses.to(piece), place, version);
        }
        return true;
    }

    /** Adds the gaps of the node at {@code place} that lie in [from, until). */
    private void breakUp(int from, int until, int place) {
        ResourceTimeline line = line(place);
        int start = line.fitsFrom(floor, from);
        while (start < until) {
            int end = line.fitsUntil(floor, start, until);
            add(start, end, place, version(place));
            start = end == until ? until : line.fitsFrom(floor, end);
        }
    }

    private void add(int from, int until, int place, int version) {
        int length = length(from, until);
        if (length < grain) {
            return;
        }
        int page = page(from);
        int end = sizes[page] * WIDTH;
        int[] gaps = pages[page];
        if (gaps == null || end == gaps.length) {
            gaps = gaps == null ? new int[4 * WIDTH] : Arrays.copyOf(gaps, end * 2);
            pages[page] = gaps;
        }
        gaps[end] = from;
        gaps[end + 1] = until;
        gaps[end + 2] = place;
        gaps[end + 3] = version;
        sizes[page]++;
        for (int node = count + page; node > 0 && latest[node] < until; node >>= 1) {
            latest[node] = until;
        }
        for (int node = count + page; node > 0 && longest[node] < length; node >>= 1) {
            longest[node] = length;
        }
    }

    /** Makes pages twice as long. */
    private void lengthenPages() {
        int[][] old = pages.clone();
        int[] counts = sizes.clone();
        Arrays.fill(pages, null);
        Arrays.fill(sizes, 0);
        Arrays.fill(latest, 0);
        Arrays.fill(longest, 0);
        shift++;
        for (int page = 0; page < count; page++) {
            int[] gaps = old[page];
            for (int i = 0; i < counts[page] * WIDTH; i += WIDTH) {
                add(gaps[i], gaps[i + 1], gaps[i + 2], gaps[i + 3]);
            }
        }
    }

    /** Works out anew what the trees say of a page. */
    private void settle(int page) {
        int end = 0;
        int length = 0;
        int[] gaps = pages[page];
        for (int i = 0; i < sizes[page] * WIDTH; i += WIDTH) {
            end = Math.max(end, gaps[i + 1]);
            length = Math.max(length, length(gaps[i], gaps[i + 1]));
        }
        int node = count + page;
        latest[node] = end;
        longest[node] = length;
        for (node >>= 1; node > 0; node >>= 1) {
            latest[node] = Math.max(latest[2 * node], latest[2 * node + 1]);
            longest[node] = Math.max(longest[2 * node], longest[2 * node + 1]);
        }
    }

    private static int length(int from, int until) {
        return until == ResourceTimeline.NEVER ? ResourceTimeline.NEVER : until - from;
    }

    /** Returns the first page from {@code page} on whose value is {@code least} or more; -1 for none. */
    private int first(int[] tree, int page, int least) {
        if (page >= count) {
            return -1;
        }
        int node = count + page;
        while (tree[node] < least) {
            while ((node & 1) != 0) {
                node >>= 1;
            }
            if (node == 0) {
                return -1;
            }
            node++;
        }
        while (node < count) {
            node *= 2;
            node += tree[node] < least ? 1 : 0;
        }
        return node - count;
    }
}
