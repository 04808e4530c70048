package io.weir.scheduler.core.reservation.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RoomIndexTest {
    @Test
    void shouldHaveNothingWhereThereAreNoNodes() {
        RoomIndex none = new RoomIndex(List.of(), new int[2]);
        none.take(1);
        none.giveBack(-1);

        assertThat(none.first(0)).isEqualTo(-1);
        assertThat(none.first(1)).isEqualTo(-1);
    }

    @Test
    void shouldFindTheFirstWithEnoughRoomThatIsNotTaken() {
        RoomIndex rooms = new RoomIndex(List.of(2, 0, 3), new int[] {4, 9, 1, 4});
        assertThat(rooms.first(1)).isEqualTo(2);
        assertThat(rooms.first(2)).isEqualTo(0);
        assertThat(rooms.first(5)).as("1 is not in the order").isEqualTo(-1);

        rooms.take(0);
        assertThat(rooms.first(2)).isEqualTo(3);
        rooms.take(3);
        assertThat(rooms.first(2)).isEqualTo(-1);
        rooms.giveBack(0);
        assertThat(rooms.first(4)).isEqualTo(0);
    }

    /** Any order of steps gives what looking through the list gives. */
    @Test
    void shouldFindWhatASearchThroughAllFinds() {
        Random random = new Random(7);
        for (int size = 1; size < 40; size++) {
            int[] room = random.ints(size, 1, 6).toArray();
            List<Integer> order = new ArrayList<>();
            for (int position = 0; position < size; position++) {
                order.add(position);
            }
            Collections.shuffle(order, random);
            RoomIndex rooms = new RoomIndex(order, room);
            SortedSet<Integer> taken = new TreeSet<>();
            for (int step = 0; step < 60; step++) {
                int position = random.nextInt(size);
                if (taken.remove(position)) {
                    rooms.giveBack(position);
                } else {
                    taken.add(position);
                    rooms.take(position);
                }
                int tasks = 1 + random.nextInt(6);
                assertThat(rooms.first(tasks))
                        .isEqualTo(order.stream()
                                .filter(each -> !taken.contains(each) && room[each] >= tasks)
                                .findFirst()
                                .orElse(-1));
            }
        }
    }
}
