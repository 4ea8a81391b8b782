// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.ItemsCommand;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Outcome;
import io.memshard.client.protocol.MetaMultiWrite.Outcomes;
import io.memshard.client.protocol.MetaMultiWrite.Write;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Write of one or many items, which may be sent to several copies of the data. Immutable. */
public sealed interface CopyWrite<R> {

    static <T> CopyWrite<T> of(ItemCommand<T> command) {
        return new OfOne<>(command);
    }

    static CopyWrite<Outcomes> of(MetaMultiWrite command) {
        return new OfMany(command);
    }

    ItemsCommand<R> command();

    List<String> keys();

    Sent<Map<String, Answer>> send(CommandSender copy);

    Sent<Map<String, Answer>> delete(CommandSender copy, List<String> keys);

    R result(Map<String, Answer> answers);

    record OfOne<T>(ItemCommand<T> command) implements CopyWrite<T> {

        @Override
        public List<String> keys() {
            return List.of(command.key());
        }

        @Override
        public Sent<Map<String, Answer>> send(CommandSender copy) {
            Reply<@Nullable MetaReply> reply = copy.send(command.raw());
            return deadline -> reply.toFuture(deadline.left()).handle(this::answer);
        }

        private Map<String, Answer> answer(@Nullable MetaReply reply, @Nullable Throwable thrown) {
            return Map.of(command.key(), Answer.of(reply, thrown));
        }

        @Override
        public Sent<Map<String, Answer>> delete(CommandSender copy, List<String> keys) {
            Reply<StoreStatus> reply = copy.send(ItemKey.of(command).delete());
            return deadline -> reply.toFuture(deadline.left())
                    .handle((status, thrown) -> answer(status == null ? null : MetaReply.of(status), thrown));
        }

        @Override
        public T result(Map<String, Answer> answers) {
            Answer answer = Objects.requireNonNull(answers.get(command.key()));
            if (answer.failure() != null) {
                throw answer.failure();
            }
            return command.resultOf(answer.reply());
        }
    }

    record OfMany(MetaMultiWrite command)
            implements CopyWrite<Outcomes>, SentByServer.Kind<Write, Outcomes, Map<String, Answer>> {

        @Override
        public List<String> keys() {
            return command.keys();
        }

        @Override
        public Sent<Map<String, Answer>> send(CommandSender copy) {
            return new SentByServer<>(copy, this, command.writes());
        }

        @Override
        public Sent<Map<String, Answer>> delete(CommandSender copy, List<String> keys) {
            return new OfMany(MetaMultiWrite.deletes(
                            keys.stream().map(Write::delete).toList()))
                    .send(copy);
        }

        @Override
        public Outcomes result(Map<String, Answer> answers) {
            List<Outcome> each = new ArrayList<>();
            for (String key : keys()) {
                Answer answer = Objects.requireNonNull(answers.get(key), key);
                each.add(
                        answer.reply() == null
                                ? Outcome.failed(Objects.requireNonNull(answer.failure(), key))
                                : Outcome.done(answer.reply().status()));
            }
            return new Outcomes(each, false);
        }

        @Override
        public String key(Write write) {
            return write.key();
        }

        @Override
        public Command<Outcomes> command(List<Write> writes) {
            return command.replied(writes);
        }

        @Override
        public Map<String, Answer> answer(CommandSender server, List<Write> writes, Outcomes outcomes) {
            Map<String, Answer> answers = new HashMap<>();
            for (int i = 0; i < writes.size(); i++) {
                String key = writes.get(i).key();
                Outcome outcome = outcomes.each().get(i);
                ErrorReply error = outcome.error();
                MemcachedException failure = error == null
                        ? outcome.failure()
                        : error.toException(server.context(command.verb(), key, Phase.REPLIED));
                answers.put(
                        key,
                        outcome.status() == null
                                ? Answer.failed(Objects.requireNonNull(failure, key))
                                : new Answer(MetaReply.of(outcome.status()), null));
            }
            return answers;
        }

        @Override
        public Map<String, Answer> failed(List<Write> writes, MemcachedException failure) {
            Map<String, Answer> answers = new HashMap<>();
            writes.forEach(write -> answers.put(write.key(), Answer.failed(failure.ofKey(write.key()))));
            return answers;
        }

        @Override
        public Map<String, Answer> merged(List<Write> writes, List<Map<String, Answer>> parts) {
            Map<String, Answer> all = new HashMap<>();
            parts.forEach(all::putAll);
            return all;
        }
    }
}
