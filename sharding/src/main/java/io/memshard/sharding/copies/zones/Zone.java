// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.sender.CommandSender;

/** Zone: its name, and the sender of commands to its servers. */
record Zone(String name, CommandSender sender) {}
