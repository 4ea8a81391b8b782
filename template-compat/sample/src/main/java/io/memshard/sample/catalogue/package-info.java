// SPDX-License-Identifier: Apache-2.0
/** The shop itself, as a user of the starter would write it. Start reading at {@code Catalogue}. */
@NullMarked
package io.memshard.sample.catalogue;

import org.jspecify.annotations.NullMarked;
