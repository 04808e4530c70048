/**
 * The requests of users and operators, as an iteration carries them out: the dispatcher, and a class for each kind of
 * object. What a request says, and who may make it, is in {@code core.request.form}.
 */
@NullMarked
package io.weir.scheduler.core.request;

import org.jspecify.annotations.NullMarked;
