// SPDX-License-Identifier: Apache-2.0
/**
 * The experiments {@code druid-table}, {@code druid-fairness} and {@code opencms}: pools of database connections over a
 * driver that only counts.
 *
 * <p>Layer: the same as that of the other experiments. Start reading at {@link
 * io.memshard.bench.lab.datasource.DruidTable} and {@link io.memshard.bench.lab.datasource.DruidFairness}.
 */
@NullMarked
package io.memshard.bench.lab.datasource;

import org.jspecify.annotations.NullMarked;
