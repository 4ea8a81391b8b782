// SPDX-License-Identifier: Apache-2.0
/**
 * Conversion of callers' arguments to the form that memcached stores: values to bytes, and times to live to exptimes.
 *
 * <p>Layer: above {@code transcoder}, below the API whose methods take the arguments. Start reading at
 * {@link io.memshard.client.argument.ValueCoder}.
 */
@NullMarked
package io.memshard.client.argument;

import org.jspecify.annotations.NullMarked;
