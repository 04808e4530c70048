/**
 * Text output: tables, instants, durations, numbers, fields of the API's views, XML. Nothing here opens a connection.
 */
@NullMarked
package io.weir.command.format;

import org.jspecify.annotations.NullMarked;
