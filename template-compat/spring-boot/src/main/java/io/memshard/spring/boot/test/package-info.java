// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the part of an application that uses memcached.
 *
 * <p>Start reading at {@link io.memshard.spring.boot.test.AutoConfigureMemcached}.
 */
@NullMarked
package io.memshard.spring.boot.test;

import org.jspecify.annotations.NullMarked;
