/**
 * The all-in-one launcher: an embedded broker and registry beside the services, durable under one directory. No
 * scheduling logic belongs here: it starts the same services that run as processes of their own.
 */
@NullMarked
package io.weir.standalone;

import org.jspecify.annotations.NullMarked;
