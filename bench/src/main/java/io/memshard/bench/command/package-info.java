// SPDX-License-Identifier: Apache-2.0
/** What the options of all commands have in common. */
@NullMarked
package io.memshard.bench.command;

import org.jspecify.annotations.NullMarked;
