/**
 * Requests before they are carried out: their one normal form, and who may make them. The API and the core decide by this
 * code, so neither can read a request in another way than the other. What a request does is in {@code core.request}.
 */
@NullMarked
package io.weir.scheduler.core.request.form;

import org.jspecify.annotations.NullMarked;
