// SPDX-License-Identifier: Apache-2.0
/**
 * Files of text, CSV and Markdown, the facts of a machine, and the failures that a user can fix. The lowest layer of
 * this module. Start reading at {@link io.memshard.bench.result.Csv}.
 */
@NullMarked
package io.memshard.bench.result;

import org.jspecify.annotations.NullMarked;
