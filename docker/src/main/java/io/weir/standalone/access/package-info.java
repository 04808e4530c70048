/**
 * Who may do what on the broker and the registry of a data directory: accounts, their credentials in files that only
 * their owner can read, and what each is granted. How a broker or a registry checks them may not go in here.
 */
@NullMarked
package io.weir.standalone.access;

import org.jspecify.annotations.NullMarked;
