// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AnnotatedElement;
import java.util.Optional;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/**
 * Marker of a test, or of all tests of a class, that is skipped on a machine without the given programs. {@link
 * Program} describes when such a test fails instead. A {@code @BeforeAll} method of a parameterized class runs even if
 * its tests are skipped.
 *
 * <p>Tests with this annotation have the tag {@code installed}. The annotation works with JUnit 5.13 and later.
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
    final class Condition implements ExecutionCondition, TestInstancePreConstructCallback {

        /** Creates the extension; called by JUnit. */
        public Condition() {}

        /**
         * Enables or disables a test or a class. A class template is always enabled; {@link #preConstructTestInstance}
         * checks its tests.
         */
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            try {
                if (!AnnotationSupport.isAnnotated(context.getElement(), ClassTemplate.class)) {
                    needAll(context.getElement());
                }
                return ConditionEvaluationResult.enabled("all programs are installed");
            } catch (TestAbortedException e) {
                return ConditionEvaluationResult.disabled(e.getMessage());
            }
        }

        /** Skips each test of a class template if a program is missing, so that JUnit reports each test. */
        @Override
        public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
            needAll(Optional.of(factory.getTestClass()));
        }

        private static void needAll(Optional<? extends AnnotatedElement> element) {
            AnnotationSupport.findAnnotation(element, NeedsProgram.class).ifPresent(needs -> {
                for (Program program : needs.value()) {
                    program.need();
                }
            });
        }
    }
}
