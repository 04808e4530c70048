/**
 * The all-in-one launcher: an embedded broker and registry beside the services. No scheduling logic belongs here.
 */
@NullMarked
package io.weir.standalone;

import org.jspecify.annotations.NullMarked;
