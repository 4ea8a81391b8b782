// SPDX-License-Identifier: Apache-2.0
/**
 * Program of the build. {@link io.memshard.docs.SkippedTests} prints which tests of all modules were skipped, and why.
 * Layer: none; independent of the client.
 */
@NullMarked
package io.memshard.docs;

import org.jspecify.annotations.NullMarked;
