// SPDX-License-Identifier: Apache-2.0
/** Conversion of callers' arguments: values to bytes, and times to live to exptimes. */
@NullMarked
package io.memshard.client.argument;

import org.jspecify.annotations.NullMarked;
