// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/**
 * Marker of a test or class that is skipped if one of the given programs is missing. With {@code
 * -Dmemshard.server=real}, the test fails instead; see {@link Program}. These tests have the tag {@code installed}.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("installed")
@ExtendWith(NeedsProgram.Condition.class)
public @interface NeedsProgram {

    Program[] value();

    /** JUnit extension that skips tests with {@link NeedsProgram}. */
    final class Condition implements ExecutionCondition {
        public Condition() {}

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            try {
                AnnotationSupport.findAnnotation(context.getElement(), NeedsProgram.class)
                        .ifPresent(needs -> Stream.of(needs.value()).forEach(Program::need));
                return ConditionEvaluationResult.enabled("all programs are installed");
            } catch (TestAbortedException e) {
                return ConditionEvaluationResult.disabled(e.getMessage());
            }
        }
    }
}
