// SPDX-License-Identifier: Apache-2.0
/**
 * spymemcached 2.12 as an engine of the template; the only package that needs it.
 *
 * <p>Layer: below the template, above the sharding module. For this module only. Start reading at {@link
 * io.memshard.template.spymemcached.SpymemcachedConnection}.
 */
@NullMarked
package io.memshard.template.spymemcached;

import org.jspecify.annotations.NullMarked;
