// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.diagnostics;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Analyzer that names the versions of Spring Boot that are supported. */
final class UnsupportedBootFailureAnalyzer extends AbstractFailureAnalyzer<UnsupportedBootException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsupportedBootException cause) {
        return new FailureAnalysis(
                cause.getMessage() + '.',
                "Change to Spring Boot 3.5 or later. Or depend on memshard-template and memshard-spring, which need"
                        + " no Spring Boot, and define their beans.",
                cause);
    }
}
