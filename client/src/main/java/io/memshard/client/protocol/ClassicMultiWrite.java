// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Classic form of {@link MetaMultiWrite}: a {@code set} or {@code delete} for each key, with a reply to each.
 *
 * <p>Protocol: protocol.txt, sections "Storage commands" and "Deletion".
 */
final class ClassicMultiWrite extends Command<MetaMultiWrite.Outcomes> {

    private final MetaMultiWrite items;
    private final List<Command<StoreStatus>> commands = new ArrayList<>();
    private int decoded;

    ClassicMultiWrite(MetaMultiWrite items) throws NoClassicFormException {
        this.items = items;
        for (MetaMultiWrite.Write write : items.writes()) {
            commands.add(single(write).classicForm());
        }
    }

    private static Command<StoreStatus> single(MetaMultiWrite.Write write) {
        MetaSet.Item stored = write.stored();
        return stored == null
                ? MetaCommand.delete(write.key(), MetaReply::status)
                : new MetaSet<>(write.key(), MetaSet.Mode.SET, stored, MetaSet.ANY_CAS, Function.identity());
    }

    @Override
    public String verb() {
        return commands.get(0).verb();
    }

    @Override
    public String key() {
        return items.key();
    }

    @Override
    public int keyCount() {
        return items.keyCount();
    }

    @Override
    public Command<MetaMultiWrite.Outcomes> classicForm() {
        return this;
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        for (Command<StoreStatus> command : commands) {
            command.encode(out, opaque);
            out.endRequest();
        }
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        while (decoded < commands.size()) {
            Command<StoreStatus> command = commands.get(decoded);
            if (!command.decode(in, opaque)) {
                return false;
            }
            ErrorReply error = command.errorReply();
            items.takeOutcome(decoded++, new MetaMultiWrite.Outcome(error == null ? command.result() : null, error));
        }
        return true;
    }

    @Override
    public MetaMultiWrite.Outcomes result() {
        return items.result();
    }
}
