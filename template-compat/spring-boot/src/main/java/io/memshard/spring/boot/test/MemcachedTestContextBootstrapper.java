// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Bootstrapper of the contexts of {@link MemcachedTest}. Called by Spring. */
final class MemcachedTestContextBootstrapper extends TestSliceTestContextBootstrapper<MemcachedTest> {}
