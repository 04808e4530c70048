package io.weir.rm;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the features a test shows to hold; the table of features is made and checked by scheduler-stream's tests. */
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.METHOD)
public @interface Feature {
    /** Returns the ids of the features. */
    String[] value();
}
