// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.sender.CommandSender;

/** A zone: its name, and what takes the commands for its servers. */
record Zone(String name, CommandSender sender) {}
