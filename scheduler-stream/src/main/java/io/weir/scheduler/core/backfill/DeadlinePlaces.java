package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which jobs have a start reserved in time for their deadline, in one pass. Such a reservation takes no place of its group, is
 * put into every pass and costs it a search, so there are places for {@value #MOST} jobs, and for half of these of one user. Whoever holds
 * one keeps it; those that are free go by the order of the queue, and a job that turns out to be late has used its place. Jobs
 * without a place wait like those without a deadline.
 */
final class DeadlinePlaces {
    /** Places in all. */
    static final int MOST = 200;

    private static final int OF_ONE_USER = MOST / 2;

    /** Ids of the jobs that have a place; never iterated. */
    private final Set<String> taken = new LinkedHashSet<>();

    /** By name of the user; never iterated. */
    private final Map<String, Integer> ofUser = new TreeMap<>();

    /** Begins a pass in which all places are free. */
    void clear() {
        taken.clear();
        ofUser.clear();
    }

    /** Gives {@code job} a place that it held before, be there one free or not. */
    void keep(Job job) {
        if (taken.add(job.id())) {
            ofUser.merge(user(job), 1, Integer::sum);
        }
    }

    /** Gives {@code job} a place if one is free; returns whether it has one. */
    boolean take(Job job) {
        if (available(job)) {
            keep(job);
        }
        return holds(job);
    }

    /** Returns whether {@code job} has a place. */
    boolean holds(Job job) {
        return taken.contains(job.id());
    }

    /** Returns whether {@code job} has a place or would get one. */
    boolean available(Job job) {
        return holds(job) || (open() && ofUser.getOrDefault(user(job), 0) < OF_ONE_USER);
    }

    /** Returns whether any place is free. */
    boolean open() {
        return taken.size() < MOST;
    }

    private static String user(Job job) {
        String user = job.request().credentials().user();
        return user == null ? "" : user;
    }
}
