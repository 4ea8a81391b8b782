// SPDX-License-Identifier: Apache-2.0
/** Failure analyzer, whose description Spring Boot prints instead of a stack trace. */
@NullMarked
package io.memshard.spring.boot.diagnostics;

import org.jspecify.annotations.NullMarked;
