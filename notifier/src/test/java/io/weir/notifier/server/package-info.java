/** Servers of other makers, run by the tests on ports of their own. */
package io.weir.notifier.server;
