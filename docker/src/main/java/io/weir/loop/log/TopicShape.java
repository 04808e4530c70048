package io.weir.loop.log;

/**
 * How a topic is made.
 *
 * @param partitions how many partitions
 * @param compacted whether only the latest record of a key is kept
 * @param maxRecordBytes largest record the broker takes
 * @param segmentMillis a segment is closed when its timestamps span more; only closed ones are compacted
 */
public record TopicShape(int partitions, boolean compacted, int maxRecordBytes, long segmentMillis) {}
