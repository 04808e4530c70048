package io.weir.nonstop.client;

/**
 * Something that befell a node of a job. A hint: what is the case now is asked for.
 *
 * @param id names the event to {@link FailureService#events}
 * @param kind NODE_FAILED, NODE_FAILING, NODE_REPLACE (a replacement can be asked for), NODE_REPLACED, NODE_DROPPED or
 *     TIME_EXTENDED; later versions may know others
 * @param node the failed or failing node; empty for none
 * @param replacement the node in its place; empty for none
 */
public record JobEvent(String id, String kind, String node, String replacement) {}
