// SPDX-License-Identifier: Apache-2.0
/** Runs of the shop, each with one engine and mode. Start reading at {@code Switchboard}. */
@NullMarked
package io.memshard.sample.shop;

import org.jspecify.annotations.NullMarked;
