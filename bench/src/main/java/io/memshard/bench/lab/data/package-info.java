// SPDX-License-Identifier: Apache-2.0
/** Results of measurements and of lock profiles, as records and as files. Start reading at {@code ForkResult}. */
@NullMarked
package io.memshard.bench.lab.data;

import org.jspecify.annotations.NullMarked;
