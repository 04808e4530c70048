package io.weir.scheduler.audit.snapshot;

/** Takes snapshots that an audit has verified. */
@FunctionalInterface
public interface SnapshotSink {
    void write(Snapshot snapshot);
}
