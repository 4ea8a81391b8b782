// SPDX-License-Identifier: Apache-2.0
/**
 * What Spring Boot prints, in place of a stack trace, when a client cannot be made at start.
 *
 * <p>Start reading at {@link io.memshard.spring.boot.diagnostics.PropertyFailureAnalyzer}.
 */
@NullMarked
package io.memshard.spring.boot.diagnostics;

import org.jspecify.annotations.NullMarked;
