package io.weir.command.slurm;

import java.util.List;

/**
 * One step of a handover. What is done already is not done again, so a handover that was broken off goes on where it was.
 *
 * @param title what it is for
 * @param actions what is to be done, in order; empty when nothing is left to do
 */
public record Step(String title, List<Action> actions) {
    /** Something to do. */
    interface Carried {
        void out();
    }

    /**
     * An action.
     *
     * @param words as a person would write it
     * @param deed does it
     */
    record Action(String words, Carried deed) {}
}
