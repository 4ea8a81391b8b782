// SPDX-License-Identifier: Apache-2.0
/** Program of the build that prints which tests were skipped, and why. */
@NullMarked
package io.memshard.docs;

import org.jspecify.annotations.NullMarked;
