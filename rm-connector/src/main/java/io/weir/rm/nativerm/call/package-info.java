/**
 * Asking something outside by URL: a program to run, a file to read, a web server to speak to. Every call has a time
 * limit and a limit to what it may say, and leaves nothing behind. Knows nothing of nodes, jobs or the text they are
 * described in.
 */
@NullMarked
package io.weir.rm.nativerm.call;

import org.jspecify.annotations.NullMarked;
