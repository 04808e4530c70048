package io.weir.rm.runtime.command;

/**
 * Finds the offset from which on the results of unfinished commands lie. Commands are not answered in the order of their
 * numbers, so the end of the topic will not do while a later command than the first unfinished is answered: the end is
 * noted together with the greatest number answered, and counts as soon as all commands up to that number are finished.
 * One thread.
 */
final class ResultsMark {
    private long offset;

    /** The greatest number answered when {@link #markedEnd} was the end; every later command is answered after it. */
    private long markedNumber;

    private long markedEnd;

    /** Goes on from where an earlier process was. */
    ResultsMark(Position kept) {
        this.offset = kept.resultsOffset();
        this.markedNumber = kept.lastFinished();
        this.markedEnd = kept.resultsOffset();
    }

    /** Returns what to keep when every command up to {@code finished} is answered, without asking where the results end. */
    Position at(long finished) {
        return new Position(finished, finished >= markedNumber ? markedEnd : offset);
    }

    /**
     * Returns what to keep.
     *
     * @param finished every command up to this number is answered
     * @param greatest greatest number of a command answered
     * @param end where the results end now
     */
    Position advance(long finished, long greatest, long end) {
        if (finished >= markedNumber) {
            offset = markedEnd;
            markedNumber = Math.max(finished, greatest);
            markedEnd = end;
        }
        return at(finished);
    }
}
