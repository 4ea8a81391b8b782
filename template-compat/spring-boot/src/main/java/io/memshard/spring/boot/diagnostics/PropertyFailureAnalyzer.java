// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.diagnostics;

import io.memshard.spring.boot.MemcachedPropertyException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which property is wrong. */
final class PropertyFailureAnalyzer extends AbstractFailureAnalyzer<MemcachedPropertyException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MemcachedPropertyException cause) {
        return new FailureAnalysis(
                "No memcached client can be made of " + cause.property() + ":\n\n    " + cause.reason(),
                "Change " + cause.property() + " as said above. docs/spring-boot.md has all properties.",
                cause);
    }
}
