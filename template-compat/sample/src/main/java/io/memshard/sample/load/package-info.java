// SPDX-License-Identifier: Apache-2.0
/** Callers that visit the shop without a pause. Start reading at {@code Callers}. */
@NullMarked
package io.memshard.sample.load;

import org.jspecify.annotations.NullMarked;
