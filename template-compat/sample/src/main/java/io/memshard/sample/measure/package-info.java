// SPDX-License-Identifier: Apache-2.0
/**
 * What callers did in each second, and what they waited for. Start reading at {@code Figures}.
 */
@NullMarked
package io.memshard.sample.measure;

import org.jspecify.annotations.NullMarked;
