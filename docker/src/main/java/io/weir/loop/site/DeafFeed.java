package io.weir.loop.site;

import io.weir.rm.runtime.command.Backlog;
import io.weir.rm.runtime.command.CommandFeed;
import io.weir.rm.runtime.command.Incoming;
import java.time.Duration;
import java.util.List;

/** Keeps from a connector that another of its id has opened a later epoch. */
public record DeafFeed(CommandFeed feed) implements CommandFeed {
    @Override
    public Backlog open() {
        return feed.open();
    }

    @Override
    public List<Incoming> takeOver() {
        return withoutHellos(feed.takeOver());
    }

    @Override
    public List<Incoming> poll(Duration timeout) {
        return withoutHellos(feed.poll(timeout));
    }

    @Override
    public List<Incoming> catchUp() {
        return withoutHellos(feed.catchUp());
    }

    private static List<Incoming> withoutHellos(List<Incoming> all) {
        return all.stream()
                .filter(incoming -> !(incoming instanceof Incoming.HelloSeen))
                .toList();
    }

    @Override
    public void finished(long upTo, long greatest) {
        feed.finished(upTo, greatest);
    }

    @Override
    public void close() {
        feed.close();
    }
}
