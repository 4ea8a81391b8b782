// SPDX-License-Identifier: Apache-2.0
/**
 * Servers of other makes and ages under every kind of operation. Start reading at {@code ServersIT}.
 */
package io.memshard.foreign;
