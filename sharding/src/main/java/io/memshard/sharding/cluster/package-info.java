// SPDX-License-Identifier: Apache-2.0
/** Connections to one or many servers. Start reading at {@link io.memshard.sharding.cluster.Cluster}. */
@NullMarked
package io.memshard.sharding.cluster;

import org.jspecify.annotations.NullMarked;
