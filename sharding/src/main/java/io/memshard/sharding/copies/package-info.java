// SPDX-License-Identifier: Apache-2.0
/** Code that zones and migrations share. Start reading at {@link io.memshard.sharding.copies.ItemCopier}. */
@NullMarked
package io.memshard.sharding.copies;

import org.jspecify.annotations.NullMarked;
