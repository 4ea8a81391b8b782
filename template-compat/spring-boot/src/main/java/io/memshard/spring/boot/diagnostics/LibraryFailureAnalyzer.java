// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.diagnostics;

import io.memshard.spring.boot.MissingLibraryException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Analyzer that names the library a property requires. */
final class LibraryFailureAnalyzer extends AbstractFailureAnalyzer<MissingLibraryException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MissingLibraryException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Add the library to the dependencies of the application, or change " + cause.property() + ".",
                cause);
    }
}
