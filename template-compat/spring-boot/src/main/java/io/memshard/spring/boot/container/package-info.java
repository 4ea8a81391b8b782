// SPDX-License-Identifier: Apache-2.0
/**
 * Servers in containers that Testcontainers or Docker Compose has started.
 *
 * <p>Start reading at {@link io.memshard.spring.boot.container.MemcachedContainerConnectionDetailsFactory}.
 */
@NullMarked
package io.memshard.spring.boot.container;

import org.jspecify.annotations.NullMarked;
