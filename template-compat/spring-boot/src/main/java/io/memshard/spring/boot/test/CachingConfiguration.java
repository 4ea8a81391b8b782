// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;

/** Configuration of a {@link MemcachedTest} in place of the application's configuration. */
@Configuration(proxyBeanMethods = false)
@EnableCaching
class CachingConfiguration {}
