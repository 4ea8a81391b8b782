// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.RoutingSender;

record Zone(String name, CommandSender sender) {

    Zone withRoutingKey(String key) {
        return new Zone(name, RoutingSender.routedBy(key, sender));
    }
}
