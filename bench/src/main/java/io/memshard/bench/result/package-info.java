// SPDX-License-Identifier: Apache-2.0
/**
 * Files of text, CSV and Markdown, and the facts of a machine. The lowest layer of this module.
 *
 * <p>Start reading at {@link io.memshard.bench.result.Csv}.
 */
@NullMarked
package io.memshard.bench.result;

import org.jspecify.annotations.NullMarked;
