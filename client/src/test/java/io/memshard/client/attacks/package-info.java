// SPDX-License-Identifier: Apache-2.0
/**
 * Attacks on the client, as tables: what a hostile server, network, writer of values or user of keys may try.
 *
 * <p>Start reading at the suite of the attacker:
 *
 * <ul>
 *   <li>keys: {@link io.memshard.client.attacks.BadKeyIT} with {@code BadKeys}, and {@code OperationContract}.
 *   <li>replies: {@link io.memshard.client.attacks.HostileReplyIT} with the tables of {@code HostileReplies},
 *       {@link io.memshard.client.attacks.EndlessReplyIT}; {@code ReplyFuzzTest}, {@code
 *       ReplyMutationTest} and {@code ChangedByteTest} for decoders.
 *   <li>values: {@code SerializationAttacksTest}, {@code CompressionAttacksTest} and {@code HostileJsonTest}; {@code
 *       SerializedFuzzTest}, {@code CompressedFuzzTest} and {@code CompatibleFuzzTest} for transcoders.
 *   <li>TLS: {@link io.memshard.client.attacks.TlsAttackIT} with the table {@code TlsAttack}; {@code TlsIT} for real
 *       servers, client certificates and files.
 *   <li>closes: {@link io.memshard.client.attacks.ChaoticCloseIT}; {@code ClientLeakIT} of the sharding module for a
 *       thousand clients with five fates; {@code ClassLoaderIT} of the module for Spring.
 * </ul>
 */
@NullMarked
package io.memshard.client.attacks;

import org.jspecify.annotations.NullMarked;
