// SPDX-License-Identifier: Apache-2.0
/**
 * The shop itself: what a reader would write on the starter. Start reading at {@code Catalogue}.
 */
@NullMarked
package io.memshard.sample.catalogue;

import org.jspecify.annotations.NullMarked;
