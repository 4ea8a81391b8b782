// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.health;

import io.memshard.Memshard;
import io.memshard.ZonedMemshard;
import io.memshard.client.admin.ServerHealth;
import io.memshard.spring.boot.MemcachedProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;

/** Health of a client's servers, without the types of Spring Boot, whose packages moved in 4.0. */
record ServersHealth(boolean isDown, Map<String, Object> details) {

    static ServersHealth of(Memshard memshard, MemcachedProperties.Health properties) {
        List<ServerHealth> healths = memshard.healthByServer(properties.timeout());
        Map<String, Object> servers = new LinkedHashMap<>();
        healths.stream()
                .filter(health -> !health.isUp())
                .forEach(health -> servers.put(health.server().toString(), details(health)));
        int down = servers.size();
        boolean isDown = switch (properties.downWhen()) {
            case ANY -> down > 0;
            case ALL -> down == healths.size();
            case NEVER -> false;
        };
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("up", healths.size() - down);
        details.put("down", down);
        if (down > 0) {
            details.put("servers", servers);
        }
        return new ServersHealth(isDown, details);
    }

    private static Map<String, Object> details(ServerHealth health) {
        return Map.of("latencyMillis", health.latency().toMillis(), "reason", String.valueOf(health.reason()));
    }

    static Map<String, Memshard> clients(ConfigurableListableBeanFactory beans) {
        Map<String, Memshard> clients =
                new LinkedHashMap<>(SimpleAutowireCandidateResolver.resolveAutowireCandidates(beans, Memshard.class));
        SimpleAutowireCandidateResolver.resolveAutowireCandidates(beans, ZonedMemshard.class)
                .forEach((name, zoned) ->
                        zoned.zones().forEach((zone, memshard) -> clients.put(name + '-' + zone, memshard)));
        return clients;
    }
}
