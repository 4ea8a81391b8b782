// SPDX-License-Identifier: Apache-2.0
/**
 * The experiment {@code venus}: a pool of memcached clients, one client, or an array of clients, and the causes of
 * their differences.
 *
 * <p>Layer: above the contenders and the base types of the lab. Start reading at {@link
 * io.memshard.bench.lab.venus.Venus}.
 */
@NullMarked
package io.memshard.bench.lab.venus;

import org.jspecify.annotations.NullMarked;
