// SPDX-License-Identifier: Apache-2.0
/**
 * Faults for tests: a server that plays a script, and a proxy that injects network faults. Layer: above the servers of
 * the testkit; imports nothing else of Memshard. Start reading at {@link io.memshard.testkit.fault.ScriptedServer},
 * then {@link io.memshard.testkit.fault.FaultProxy}.
 */
@NullMarked
package io.memshard.testkit.fault;

import org.jspecify.annotations.NullMarked;
