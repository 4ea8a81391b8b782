// SPDX-License-Identifier: Apache-2.0
/**
 * The experiment {@code venus}: a pool of memcached clients, one client, or an array of clients, and why they differ.
 *
 * <p>Layer: above the contenders and the seam of the lab. Start reading at {@link
 * io.memshard.bench.lab.venus.Venus}.
 */
@NullMarked
package io.memshard.bench.lab.venus;

import org.jspecify.annotations.NullMarked;
