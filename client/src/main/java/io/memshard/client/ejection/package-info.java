// SPDX-License-Identifier: Apache-2.0
/** Ejection of servers that fail. {@code ServerWatch} counts their failures and requests probes. */
@NullMarked
package io.memshard.client.ejection;

import org.jspecify.annotations.NullMarked;
