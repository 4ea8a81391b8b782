// SPDX-License-Identifier: Apache-2.0
/**
 * Support for tests of applications that use memcached.
 *
 * <p>Start reading at {@link io.memshard.spring.boot.test.AutoConfigureMemcached}.
 */
@NullMarked
package io.memshard.spring.boot.test;

import org.jspecify.annotations.NullMarked;
