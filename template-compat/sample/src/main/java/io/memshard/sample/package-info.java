// SPDX-License-Identifier: Apache-2.0
/**
 * A shop whose engine, mode and callers are switched while one watches. Start reading at {@code SampleCommand}.
 */
@NullMarked
package io.memshard.sample;

import org.jspecify.annotations.NullMarked;
