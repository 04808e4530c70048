package io.weir.scheduler.core.policy.node;

/**
 * NODEALLOCPLUGIN[name].
 *
 * @param name name a policy refers to it by
 * @param className implementing class; empty for an external program
 * @param program path of the external program; empty for a class
 * @param arguments text handed over
 * @param timeoutSeconds how long an answer may take
 */
public record AllocationPlugin(String name, String className, String program, String arguments, int timeoutSeconds) {}
