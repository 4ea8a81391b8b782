// SPDX-License-Identifier: Apache-2.0
/** A shop whose engine, mode and callers can be switched while it runs. Start reading at {@code SampleCommand}. */
@NullMarked
package io.memshard.sample;

import org.jspecify.annotations.NullMarked;
