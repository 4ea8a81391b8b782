// SPDX-License-Identifier: Apache-2.0
/**
 * Discovery of servers and of their changes. A {@link io.memshard.sharding.discovery.Discovery} repeatedly queries a
 * {@link io.memshard.sharding.discovery.ServerSource}.
 *
 * <p>Layer: above {@code io.memshard.sharding.ring}, for {@code Server}, and above
 * {@code io.memshard.client.connection}, for commands to configuration endpoints. Start reading at
 * {@code ServerSource}, then {@code Discovery}.
 */
@NullMarked
package io.memshard.sharding.discovery;

import org.jspecify.annotations.NullMarked;
