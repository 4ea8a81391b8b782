// SPDX-License-Identifier: Apache-2.0
/** Connections to servers in containers that Testcontainers starts. */
@NullMarked
package io.memshard.spring.boot.container;

import org.jspecify.annotations.NullMarked;
