// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.diagnostics;

import io.memshard.spring.boot.MemcachedPropertyException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Analyzer that names the wrong property, or the library that a property requires. */
final class PropertyFailureAnalyzer extends AbstractFailureAnalyzer<MemcachedPropertyException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MemcachedPropertyException cause) {
        return new FailureAnalysis(
                "Cannot create a memcached client:\n\n    " + cause.getMessage(),
                cause.getCause() instanceof IllegalStateException
                        ? "Add the library to the dependencies of the application, or change " + cause.property() + "."
                        : "Change " + cause.property() + " as described above.",
                cause);
    }
}
