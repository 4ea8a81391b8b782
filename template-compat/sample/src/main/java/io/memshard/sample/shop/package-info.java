// SPDX-License-Identifier: Apache-2.0
/** The shop under one engine and mode, and the switch to another. Start reading at {@code Switchboard}. */
@NullMarked
package io.memshard.sample.shop;

import org.jspecify.annotations.NullMarked;
