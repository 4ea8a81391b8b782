// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.memshard.bench.locks;

import org.jspecify.annotations.NullMarked;
