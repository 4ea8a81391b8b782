// SPDX-License-Identifier: Apache-2.0
/**
 * Failure analyzers of Spring Boot, which print a description instead of a stack trace when a client cannot be created
 * at start.
 *
 * <p>Start reading at {@link io.memshard.spring.boot.diagnostics.MemcachedFailureAnalyzer}.
 */
@NullMarked
package io.memshard.spring.boot.diagnostics;

import org.jspecify.annotations.NullMarked;
