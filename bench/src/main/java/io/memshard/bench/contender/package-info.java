// SPDX-License-Identifier: Apache-2.0
/** Clients under comparison, and the experiments that compare them. Start reading at {@code Contender}. */
@NullMarked
package io.memshard.bench.contender;

import org.jspecify.annotations.NullMarked;
