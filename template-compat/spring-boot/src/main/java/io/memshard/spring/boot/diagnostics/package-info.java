// SPDX-License-Identifier: Apache-2.0
/**
 * Failure analyzers of Spring Boot. If a client cannot be created at start, Spring Boot prints their description
 * instead of a stack trace.
 *
 * <p>Start reading at {@link io.memshard.spring.boot.diagnostics.MemcachedFailureAnalyzer}.
 */
@NullMarked
package io.memshard.spring.boot.diagnostics;

import org.jspecify.annotations.NullMarked;
