// SPDX-License-Identifier: Apache-2.0
/** Connections to servers, which replace lost sockets. Start at {@code Connection}, then {@code LinkKeeper}. */
@NullMarked
package io.memshard.client.connection;

import org.jspecify.annotations.NullMarked;
