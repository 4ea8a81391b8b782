// SPDX-License-Identifier: Apache-2.0
/**
 * Transcoders that store values as JSON: {@link io.memshard.client.json.Jackson3Transcoder} and
 * {@link io.memshard.client.json.Jackson2Transcoder}.
 *
 * <p>Each class needs the version of Jackson in its name. No other class of the client needs Jackson.
 *
 * <p>Layer: above {@code transcoder}; no other package of this module uses {@code json}.
 */
@NullMarked
package io.memshard.client.json;

import org.jspecify.annotations.NullMarked;
