// SPDX-License-Identifier: Apache-2.0
/**
 * Commands for whole servers, such as statistics and {@code flush_all}, with an answer of each server.
 *
 * <p>Layer: part of the API, below {@code io.memshard.client}; implemented in {@code operation}. Start reading at
 * {@link io.memshard.client.admin.AdminClient}.
 */
@NullMarked
package io.memshard.client.admin;

import org.jspecify.annotations.NullMarked;
