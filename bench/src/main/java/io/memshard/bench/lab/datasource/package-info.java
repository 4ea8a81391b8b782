// SPDX-License-Identifier: Apache-2.0
/** Experiments on pools of database connections, with a fake driver. Start reading at {@code DruidTable}. */
@NullMarked
package io.memshard.bench.lab.datasource;

import org.jspecify.annotations.NullMarked;
