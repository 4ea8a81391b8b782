// SPDX-License-Identifier: Apache-2.0
/** Rules by which measurements decide whether a claim of an article holds. Start reading at {@code Judge}. */
@NullMarked
package io.memshard.bench.lab.judge;

import org.jspecify.annotations.NullMarked;
