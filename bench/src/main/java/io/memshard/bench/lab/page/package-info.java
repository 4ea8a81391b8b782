// SPDX-License-Identifier: Apache-2.0
/** Pages with all verdicts and figures of the lab. Start reading at {@code LabReport}. */
@NullMarked
package io.memshard.bench.lab.page;

import org.jspecify.annotations.NullMarked;
