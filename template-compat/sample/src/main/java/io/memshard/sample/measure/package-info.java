// SPDX-License-Identifier: Apache-2.0
/** Figures of the callers in each second. Start reading at {@code Figures}. */
@NullMarked
package io.memshard.sample.measure;

import org.jspecify.annotations.NullMarked;
