// SPDX-License-Identifier: Apache-2.0
/**
 * Health of the servers, for Spring Boot's health endpoint.
 *
 * <p>Start reading at {@link io.memshard.spring.boot.health.MemcachedHealthAutoConfiguration}.
 */
@NullMarked
package io.memshard.spring.boot.health;

import org.jspecify.annotations.NullMarked;
