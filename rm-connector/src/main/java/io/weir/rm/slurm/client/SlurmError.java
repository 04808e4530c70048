package io.weir.rm.slurm.client;

import java.util.Locale;

/**
 * Slurm's no: it was reached, and nothing changed.
 *
 * @param number Slurm's error number; 0 when it was told as text only
 * @param text what Slurm said
 */
public record SlurmError(int number, String text) {
    private static final int INVALID_JOB_ID = 2017;
    private static final int INVALID_NODE_NAME = 2018;
    private static final int ALREADY_DONE = 2021;
    private static final int JOB_FINISHED = 2084;

    /** Below are errors of communication and of Slurm's own machinery; from here on Slurm looked at the request. */
    private static final int FIRST_OF_CONTROLLER = 2000;

    /** From here on slurmrestd itself did not understand. */
    private static final int FIRST_OF_REST = 9000;

    private static final String[] AWAY = {
        "unable to contact",
        "connect failure",
        "connection",
        "timed out",
        "communication",
        "zero bytes",
        "standby",
        "initializ",
        "authentication",
        "unexpected message",
        "backup controller"
    };

    public boolean isUnknownJob() {
        return number == INVALID_JOB_ID || says("invalid job id");
    }

    public boolean isUnknownNode() {
        return number == INVALID_NODE_NAME || says("invalid node name");
    }

    /** Says whether a user or account was named that Slurm, or its database, does not know. */
    public boolean isUnknownCredential() {
        return says("invalid user") || says("invalid account");
    }

    public boolean isFinished() {
        return number == JOB_FINISHED || number == ALREADY_DONE || says("already finished") || says("already complet");
    }

    /**
     * Says whether slurmctld changes nothing of a job before slurmdbd has registered it. That takes a moment, but for a job in
     * whose registration slurmctld was stopped, which waits until an attempt to reach slurmdbd fails.
     */
    public boolean isUnregistered() {
        return says("db index is being set");
    }

    /** Says whether the job is one of scrontab's, which Slurm has nobody change. */
    public boolean isOfScrontab() {
        return says("cannot modify scrontab jobs");
    }

    /** Says whether this is no answer of the controller's but a failure to get one. */
    boolean isAway() {
        if (number != 0 && (number < FIRST_OF_CONTROLLER || number >= FIRST_OF_REST)) {
            return number < FIRST_OF_CONTROLLER;
        }
        for (String word : AWAY) {
            if (says(word)) {
                return true;
            }
        }
        return false;
    }

    private boolean says(String words) {
        return text.toLowerCase(Locale.ROOT).contains(words);
    }

    /** Returns what a person should read. */
    public String explanation() {
        if (isUnknownJob()) {
            return "Slurm knows no such job";
        }
        if (isUnknownNode()) {
            return "Slurm knows no such node";
        }
        if (isFinished()) {
            return "the job has ended";
        }
        return number == 0 ? "Slurm: " + text : "Slurm: " + text + " (" + number + ")";
    }
}
