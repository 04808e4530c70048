/** Measurements of a whole running installation. What measures the core alone belongs to scheduler-stream. */
@NullMarked
package io.weir.standalone.bench;

import org.jspecify.annotations.NullMarked;
