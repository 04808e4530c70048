package io.weir.scheduler.core.automation.response;

/** What one kind of action on an event does. Stateless but for what it works on. */
interface EventResponse {
    /** Does what {@code occasion} asks for; what does not fit its object is told as an event, never thrown. */
    void respond(Occasion occasion);
}
