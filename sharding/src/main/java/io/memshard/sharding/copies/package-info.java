// SPDX-License-Identifier: Apache-2.0
/**
 * Parts shared by the senders that keep more than one copy of an item. The parts copy items so that no copy outlives a
 * delete, and split commands whose keys are on many servers.
 *
 * <p>Layer: above the client's {@code connection} and {@code protocol}, below {@code copies.zones} and
 * {@code copies.migration}. Start reading at {@link io.memshard.sharding.copies.ItemCopier}.
 */
@NullMarked
package io.memshard.sharding.copies;

import org.jspecify.annotations.NullMarked;
