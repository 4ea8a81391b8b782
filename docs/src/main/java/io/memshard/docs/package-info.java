// SPDX-License-Identifier: Apache-2.0
/**
 * Generator of the site from the Markdown pages of the repository. Start reading at {@link io.memshard.docs.Site}.
 * Layer: none; independent of the client.
 *
 * <p>{@link io.memshard.docs.SkippedTests} prints its summary at the end of the build of all modules.
 */
@NullMarked
package io.memshard.docs;

import org.jspecify.annotations.NullMarked;
