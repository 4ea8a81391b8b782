// SPDX-License-Identifier: Apache-2.0
/** Sample: a shop, and a page on which a user changes the shop's client. Start reading at {@code SampleCommand}. */
@NullMarked
package io.memshard.sample;

import org.jspecify.annotations.NullMarked;
