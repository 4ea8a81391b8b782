// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.AsyncAdminClient;
import io.memshard.client.admin.ServerResults;
import io.memshard.client.admin.ServerStats;
import io.memshard.client.admin.StatsGroup;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.sender.CommandSender;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** The contract of the admin clients. */
class AdminClientIT {

    @Nested
    class Blocking extends AdminClientContract {

        @Override
        AdminClient client(Map<ServerAddress, CommandSender> servers, Duration timeout) {
            return Clients.admin(servers, timeout);
        }
    }

    @Nested
    class Asynchronous extends AdminClientContract {

        @Override
        AdminClient client(Map<ServerAddress, CommandSender> servers, Duration timeout) {
            return new Joined(Clients.asyncAdmin(servers, timeout));
        }
    }

    /** An asynchronous admin client behind the blocking face. Its futures never fail. */
    private record Joined(AsyncAdminClient async) implements AdminClient {

        @Override
        public ServerResults<ServerStats> stats() {
            return async.stats().join();
        }

        @Override
        public ServerResults<Map<String, String>> stats(StatsGroup group) {
            return async.stats(group).join();
        }

        @Override
        public ServerResults<String> resetStats() {
            return async.resetStats().join();
        }

        @Override
        public ServerResults<String> countPrefixes(boolean on) {
            return async.countPrefixes(on).join();
        }

        @Override
        public ServerResults<String> version() {
            return async.version().join();
        }

        @Override
        public ServerResults<String> flushAll(Duration delay) {
            return async.flushAll(delay).join();
        }

        @Override
        public ServerResults<String> verbosity(int level) {
            return async.verbosity(level).join();
        }
    }
}
