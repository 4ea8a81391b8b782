// SPDX-License-Identifier: Apache-2.0
/**
 * Discovery: which servers there are, and when that changes. A {@link io.memshard.sharding.discovery.ServerSource} is
 * asked, and {@link io.memshard.sharding.discovery.Discovery} asks it again and again.
 *
 * <p>Layer: above {@code io.memshard.sharding.ring}, from which it takes {@code Server}, and above
 * {@code io.memshard.client.connection}, by which it asks configuration endpoints. It knows nothing of rings and
 * connections to servers. Start reading at {@code ServerSource}, then {@code Discovery}.
 */
@NullMarked
package io.memshard.sharding.discovery;

import org.jspecify.annotations.NullMarked;
