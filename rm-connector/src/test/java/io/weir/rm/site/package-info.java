/**
 * What tests with a real resource manager of some kind on this host have in common: a directory that other users can enter
 * and a script that runs daemons below it. Nothing here knows which resource manager it is.
 */
@NullMarked
package io.weir.rm.site;

import org.jspecify.annotations.NullMarked;
