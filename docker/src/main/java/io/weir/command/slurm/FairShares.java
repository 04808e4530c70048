package io.weir.command.slurm;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The part of a cluster that accounts and their users are meant to have, in percent. Immutable.
 *
 * @param users what each user has by all accounts together
 */
record FairShares(SortedMap<String, Double> accounts, SortedMap<String, Double> users) {
    /** Of which nothing is known. */
    static final FairShares NONE = new FairShares(Collections.emptySortedMap(), Collections.emptySortedMap());

    FairShares {
        accounts = Collections.unmodifiableSortedMap(new TreeMap<>(accounts));
        users = Collections.unmodifiableSortedMap(new TreeMap<>(users));
    }
}
