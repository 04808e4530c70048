/** Checks of the values of settings that Kafka's configuration library has not. */
@NullMarked
package io.weir.service.setting;

import org.jspecify.annotations.NullMarked;
