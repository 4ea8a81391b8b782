// SPDX-License-Identifier: Apache-2.0
/**
 * Values as JSON, with a mapper of one's own: {@link io.memshard.client.json.Jackson3Transcoder} and {@link
 * io.memshard.client.json.Jackson2Transcoder}.
 *
 * <p>Each class needs one of the two libraries, and nothing else here does. So an application has the one that it uses.
 *
 * <p>Layer: above {@code transcoder}; nothing in this module imports it.
 */
@NullMarked
package io.memshard.client.json;

import org.jspecify.annotations.NullMarked;
