// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.ServerResults;
import io.memshard.client.admin.ServerStats;
import io.memshard.client.admin.StatsGroup;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The admin client over a sender for each server. See {@link Clients#admin}. */
record SenderAdminClient(Map<ServerAddress, CommandSender> servers, long timeoutNanos) implements AdminClient {

    private <T, R> ServerResults<R> ask(AdminQuestion<T, R> question) {
        long deadlineNanos = System.nanoTime() + timeoutNanos;
        Map<ServerAddress, Reply<T>> replies = new LinkedHashMap<>();
        servers.forEach((server, sender) ->
                replies.put(server, sender.send(question.command().get())));
        return question.answers(replies, reply -> reply.await(deadlineNanos - System.nanoTime()));
    }

    @Override
    public ServerResults<ServerStats> stats() {
        return ask(AdminQuestion.stats());
    }

    @Override
    public ServerResults<Map<String, String>> stats(StatsGroup group) {
        return ask(AdminQuestion.stats(group));
    }

    @Override
    public ServerResults<String> resetStats() {
        return ask(AdminQuestion.resetStats());
    }

    @Override
    public ServerResults<String> countPrefixes(boolean on) {
        return ask(AdminQuestion.countPrefixes(on));
    }

    @Override
    public ServerResults<String> version() {
        return ask(AdminQuestion.version());
    }

    @Override
    public ServerResults<String> flushAll(Duration delay) {
        return ask(AdminQuestion.flushAll(delay));
    }

    @Override
    public ServerResults<String> verbosity(int level) {
        return ask(AdminQuestion.verbosity(level));
    }
}
