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
 * Marker of a test, or of all tests of a class, that is skipped on a machine without the given programs. {@link
 * Program} describes when such a test fails instead.
 *
 * <p>Tests with this annotation have the tag {@code installed}.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("installed")
@ExtendWith(NeedsProgram.Condition.class)
public @interface NeedsProgram {

    /** Returns the programs, all of which the test needs. */
    Program[] value();

    /** JUnit's extension behind {@link NeedsProgram}. Threading: stateless. */
    final class Condition implements ExecutionCondition {
        /** Creates the extension; called by JUnit. */
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
