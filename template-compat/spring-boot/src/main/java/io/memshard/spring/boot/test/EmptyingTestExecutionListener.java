// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import io.memshard.testkit.EmbeddedMemcached;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Listener that empties the embedded memcached of a context before each test, because tests share the context. */
final class EmptyingTestExecutionListener implements TestExecutionListener {

    @Override
    public void beforeTestMethod(TestContext test) {
        // Without the testkit, which is optional, no such bean exists.
        if (test.hasApplicationContext()
                && test.getApplicationContext().containsBean(MemcachedContextCustomizerFactory.SERVER)) {
            empty(test.getApplicationContext());
        }
    }

    private static void empty(ApplicationContext context) {
        context.getBean(MemcachedContextCustomizerFactory.SERVER, EmbeddedMemcached.class)
                .flushAll();
    }
}
