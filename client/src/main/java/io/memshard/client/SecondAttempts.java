package io.memshard.client;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Reply;
import io.memshard.client.protocol.Command;

/** Sends each command as the second attempt that it is. Threading: as what it sends to. */
record SecondAttempts(CommandSender sender) implements CommandSender {

    @Override
    public <T> Reply<T> send(Command<T> command) {
        return sender.sendAgain(command);
    }

    @Override
    public <T> T call(Command<T> command, long timeoutNanos) {
        return sender.callAgain(command, timeoutNanos);
    }
}
