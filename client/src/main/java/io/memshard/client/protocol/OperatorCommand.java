package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * A classic text command about the server as a whole. It has no opaque, so {@code version} is sent behind it: a
 * reply that is not followed by that to {@code version} was another command's.
 *
 * <p>Protocol: {@code <request>\r\nversion\r\n}; protocol.txt, section "Other commands".
 */
abstract class OperatorCommand<T> extends Command<T> {

    private static final byte[] BARRIER = "version".getBytes(US_ASCII);
    private static final byte[] BARRIER_REPLY = "VERSION ".getBytes(US_ASCII);

    private final String verb;
    private final byte[] request;
    private boolean answered;

    /**
     * A command.
     *
     * @param request the line to send; its first word is the verb
     */
    OperatorCommand(String request) {
        this.verb = request.split(" ", 2)[0];
        this.request = request.getBytes(US_ASCII);
    }

    @Override
    public final String verb() {
        return verb;
    }

    @Override
    public final void encode(RequestBuffer out, int opaque) {
        out.append(request).endLine().append(BARRIER).endLine();
    }

    /** The command is classic text itself. */
    @Override
    public final Command<T> classicForm() {
        return this;
    }

    @Override
    public final boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        while (in.nextLine()) {
            if (!answered) {
                answered = takeLine(in) || takeError(in);
            } else if (in.lineStartsWith(BARRIER_REPLY)) {
                return true;
            } else {
                throw in.malformed("no reply to version behind " + verb);
            }
        }
        return false;
    }

    /** Takes in a line of the reply, unless it is an error; whether it is the last. */
    abstract boolean takeLine(ReplyBuffer in) throws MalformedReplyException;
}
