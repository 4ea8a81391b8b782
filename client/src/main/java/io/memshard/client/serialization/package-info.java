// SPDX-License-Identifier: Apache-2.0
/**
 * Reading and writing of Java serialization that others may have forged.
 *
 * <p>Layer: below {@code transcoder}, which has the settings and the flags; knows no other package of the client. Start
 * reading at {@code ObjectSerializer}.
 */
@NullMarked
package io.memshard.client.serialization;

import org.jspecify.annotations.NullMarked;
