package io.weir.scheduler.core.request.form;

/** How much is told of priorities. */
public enum PriorityForm {
    /** Of each job the priority alone, of many more jobs. */
    BRIEF
}
