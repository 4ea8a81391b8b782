// SPDX-License-Identifier: Apache-2.0
/** Files of text, CSV and Markdown, and facts about the machine. Start reading at {@code Csv}. */
@NullMarked
package io.memshard.bench.result;

import org.jspecify.annotations.NullMarked;
