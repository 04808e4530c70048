package io.weir.scheduler.core.category;

import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.schemas.CategorySource;
import org.jspecify.annotations.Nullable;

/**
 * The category that follows from what is known of a node.
 *
 * @param category the category
 * @param source what it follows from
 * @param cause what is known of the cause, in words
 * @param rule rule that found the cause in a text; null when none did
 */
public record CategoryFinding(
        NodeCategory category,
        CategorySource source,
        String cause,
        @Nullable String rule) {
    static CategoryFinding of(NodeCategory category, CategorySource source, String cause) {
        return new CategoryFinding(category, source, cause, null);
    }
}
