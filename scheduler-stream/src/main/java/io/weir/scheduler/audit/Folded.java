package io.weir.scheduler.audit;

import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.iteration.IterationResult;

/** What the core made of an item of the journal. */
sealed interface Folded {

    /** Returns the item. */
    JournalReader.Item item();

    /**
     * An input that was applied.
     *
     * @param fact what it was decoded to
     */
    record Fed(JournalReader.Applied item, Fact fact) implements Folded {}

    /**
     * An input that was not: the core stands still from here on.
     *
     * @param message why
     */
    record Refused(JournalReader.Applied item, String message) implements Folded {}

    /**
     * An iteration.
     *
     * @param result what the core derives
     */
    record Derived(JournalReader.Closed item, IterationResult result) implements Folded {}

    /** What no core has to do with, or comes after one stands still. */
    record Passed(JournalReader.Item item) implements Folded {}

    /**
     * The core threw, and stands still from here on.
     *
     * @param failure what it threw
     */
    record Failed(JournalReader.Item item, RuntimeException failure) implements Folded {}
}
