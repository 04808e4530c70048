package io.weir.scheduler.core.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionTest {

    @ParameterizedTest
    @ValueSource(strings = {"(a)\\1", "(?=a)b", "(?<=a)b", "((x{1000}){1000}){1000}", "(?:x{1000}){20}", "["})
    void shouldRefuseExpressionsThatRe2DoesNotHaveOrThatAreTooLarge(String expression) {
        assertThatThrownBy(() -> Expression.of(expression))
                .isInstanceOf(BadExpressionException.class)
                .hasMessageContaining("regular expression");
    }

    @Test
    void shouldMatchInTimeThatGrowsWithTheTextOnly() throws BadExpressionException {
        Expression expression = Expression.of("(a|a)*(a|a)*(a|a)*b");

        assertThat(expression.isIn("a".repeat(20_000))).isFalse();
        assertThat(expression.isIn("a".repeat(100) + "b")).isTrue();
    }
}
