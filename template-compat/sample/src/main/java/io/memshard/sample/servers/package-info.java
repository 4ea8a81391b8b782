// SPDX-License-Identifier: Apache-2.0
/** Memcached servers that the page stops and starts. Start reading at {@code Servers}. */
@NullMarked
package io.memshard.sample.servers;

import org.jspecify.annotations.NullMarked;
