// SPDX-License-Identifier: Apache-2.0
/**
 * Reading and writing of Java serialization. The bytes to read may have been forged.
 *
 * <p>Layer: below {@code transcoder}, which has the settings and the flags; uses only {@code concurrent} of the other
 * packages. Start reading at {@code ObjectSerializer}.
 */
@NullMarked
package io.memshard.client.serialization;

import org.jspecify.annotations.NullMarked;
