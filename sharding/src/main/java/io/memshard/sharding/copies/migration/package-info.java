// SPDX-License-Identifier: Apache-2.0
/** Sender over two fleets. Start reading at {@link io.memshard.sharding.copies.migration.Migration}. */
@NullMarked
package io.memshard.sharding.copies.migration;

import org.jspecify.annotations.NullMarked;
