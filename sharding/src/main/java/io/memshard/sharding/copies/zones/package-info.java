// SPDX-License-Identifier: Apache-2.0
/** Sender over several zones. Start reading at {@link io.memshard.sharding.copies.zones.Replicas}. */
@NullMarked
package io.memshard.sharding.copies.zones;

import org.jspecify.annotations.NullMarked;
