/**
 * A broker in memory: topics with idempotent and transactional producers, groups, retention and compaction, behind Kafka's
 * own client interfaces, so that what is written for Kafka runs on it unchanged. It promises what Kafka promises and no
 * more; its tests say what that is. It knows virtual time, and nothing of Weir.
 */
@NullMarked
package io.weir.loop.log;

import org.jspecify.annotations.NullMarked;
