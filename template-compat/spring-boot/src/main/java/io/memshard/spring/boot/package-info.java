// SPDX-License-Identifier: Apache-2.0
/**
 * Memshard in a Spring Boot application: the properties below {@code memcached}, and the beans created from them.
 *
 * <p>Start reading at {@link io.memshard.spring.boot.MemcachedAutoConfiguration}.
 */
@NullMarked
package io.memshard.spring.boot;

import org.jspecify.annotations.NullMarked;
