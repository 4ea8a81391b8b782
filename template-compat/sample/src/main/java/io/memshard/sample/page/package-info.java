// SPDX-License-Identifier: Apache-2.0
/** Web page of the sample, and the handlers of its requests. Start reading at {@code PageController}. */
@NullMarked
package io.memshard.sample.page;

import org.jspecify.annotations.NullMarked;
