// SPDX-License-Identifier: Apache-2.0
/** The page and its posts. Start reading at {@code PageController}. */
@NullMarked
package io.memshard.sample.page;

import org.jspecify.annotations.NullMarked;
