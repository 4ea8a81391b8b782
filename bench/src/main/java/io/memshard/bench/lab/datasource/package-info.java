// SPDX-License-Identifier: Apache-2.0
/**
 * Experiments on pools of database connections, over a driver that only counts. Layer: the same as that of the other
 * experiments. Start reading at {@link io.memshard.bench.lab.datasource.DruidTable}.
 */
@NullMarked
package io.memshard.bench.lab.datasource;

import org.jspecify.annotations.NullMarked;
