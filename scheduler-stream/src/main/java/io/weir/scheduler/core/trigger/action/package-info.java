/**
 * What the Action of a trigger says, form by form. A form is read in the same way when a trigger is made, which refuses what
 * can never be carried out, and when it fires. Variables are left as they are written.
 */
@NullMarked
package io.weir.scheduler.core.trigger.action;

import org.jspecify.annotations.NullMarked;
