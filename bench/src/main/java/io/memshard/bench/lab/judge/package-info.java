// SPDX-License-Identifier: Apache-2.0
/**
 * Claims of articles, and the rules by which the data of the lab decide on them. Layer: above data, below the pages.
 * Start reading at {@link io.memshard.bench.lab.judge.Judge}.
 */
@NullMarked
package io.memshard.bench.lab.judge;

import org.jspecify.annotations.NullMarked;
