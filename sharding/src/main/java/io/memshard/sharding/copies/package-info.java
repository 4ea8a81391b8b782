// SPDX-License-Identifier: Apache-2.0
/**
 * Classes that the senders over several copies of the data share. The classes copy items, and split commands whose keys
 * are on many servers.
 *
 * <p>Layer: above the client's {@code connection} and {@code protocol}, below {@code copies.zones} and
 * {@code copies.migration}. Start reading at {@link io.memshard.sharding.copies.ItemCopier}.
 */
@NullMarked
package io.memshard.sharding.copies;

import org.jspecify.annotations.NullMarked;
