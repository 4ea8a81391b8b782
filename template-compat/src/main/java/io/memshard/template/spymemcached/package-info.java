// SPDX-License-Identifier: Apache-2.0
/**
 * spymemcached 2.12 as an engine of the template. No other package depends on spymemcached.
 *
 * <p>Layer: below the template, above the sharding module. Only this module uses this package. Start reading at {@link
 * io.memshard.template.spymemcached.SpymemcachedConnection}.
 */
@NullMarked
package io.memshard.template.spymemcached;

import org.jspecify.annotations.NullMarked;
