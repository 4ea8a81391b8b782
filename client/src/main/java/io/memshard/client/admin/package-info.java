// SPDX-License-Identifier: Apache-2.0
/**
 * Commands for whole servers, such as statistics and {@code flush_all}, with a separate answer from each server.
 *
 * <p>Layer: part of the API. {@code io.memshard.client} uses this package, and {@code operation} implements its
 * interfaces. Start reading at {@link io.memshard.client.admin.AdminClient}.
 */
@NullMarked
package io.memshard.client.admin;

import org.jspecify.annotations.NullMarked;
