// SPDX-License-Identifier: Apache-2.0
/** Senders of commands and their replies: the interface between operations and connections. */
@NullMarked
package io.memshard.client.sender;

import org.jspecify.annotations.NullMarked;
