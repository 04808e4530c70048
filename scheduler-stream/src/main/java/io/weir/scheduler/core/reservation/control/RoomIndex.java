package io.weir.scheduler.core.reservation.control;

import java.util.Arrays;
import java.util.List;

/**
 * Nodes in an order of preference with the number of tasks each has room for. The first one with enough room is found, and
 * one taken or given back, in time logarithmic in their number: a tree in an array has at each place the most room of the
 * nodes below.
 */
final class RoomIndex {
    private static final int TAKEN = -1;

    private final List<Integer> positions;
    private final int[] rooms;

    /** The place in the order, by position; -1 for nodes that are not in it. */
    private final int[] places;

    private final int leaves;
    private final int[] most;

    /**
     * Makes the index of free nodes.
     *
     * @param positions nodes by their position in index order, best first
     * @param rooms the tasks there is room for, by position
     */
    RoomIndex(List<Integer> positions, int[] rooms) {
        this.positions = positions;
        this.rooms = rooms;
        places = new int[rooms.length];
        Arrays.fill(places, -1);
        leaves = Math.max(1, Integer.highestOneBit(Math.max(1, positions.size()) * 2 - 1));
        most = new int[2 * leaves];
        Arrays.fill(most, TAKEN);
        for (int place = 0; place < positions.size(); place++) {
            places[positions.get(place)] = place;
            most[leaves + place] = rooms[positions.get(place)];
        }
        for (int at = leaves - 1; at > 0; at--) {
            most[at] = Math.max(most[2 * at], most[2 * at + 1]);
        }
    }

    /** Returns the position of the first node that is not taken and has room for {@code tasks}, or -1. */
    int first(int tasks) {
        if (most[1] < Math.max(0, tasks)) {
            return -1;
        }
        int at = 1;
        while (at < leaves) {
            at *= 2;
            if (most[at] < tasks) {
                at++;
            }
        }
        return positions.get(at - leaves);
    }

    /** Takes the node at {@code position}, if it is one of these. */
    void take(int position) {
        set(position, TAKEN);
    }

    /** Gives the node at {@code position} back, if it is one of these. */
    void giveBack(int position) {
        set(position, position < 0 ? TAKEN : rooms[position]);
    }

    private void set(int position, int room) {
        if (position < 0 || places[position] < 0) {
            return;
        }
        int at = leaves + places[position];
        most[at] = room;
        for (at /= 2; at > 0; at /= 2) {
            most[at] = Math.max(most[2 * at], most[2 * at + 1]);
        }
    }
}
