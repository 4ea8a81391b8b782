package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.List;

/**
 * {@code get} of many keys: the classic form of a {@link MetaMultiGet}, into which it puts the values that it reads.
 *
 * <p>Each value names its key, which must be one of the requested keys and must not have a value yet. A proxy that
 * asks several servers may return the values in another order than the keys. An error in place of a value or of the
 * end fails the whole command.
 *
 * <p>Protocol: {@code get <key>*\r\n}, replied {@code VALUE <key> <flags> <bytes>\r\n<data block>\r\n} for each hit,
 * then {@code END\r\n}; protocol.txt, section "Retrieval command". The line has at most 100 keys, so at
 * most 25 KiB. Above 2 KiB memcached accepts no other line.
 */
final class ClassicMultiGet<V> extends ValueCommand<MetaMultiGet.Found<V>> {

    private static final byte[] GET = "get".getBytes(US_ASCII);

    private final MetaMultiGet<V> items;
    private final List<String> keys;

    private int current = -1;
    private int clientFlags;

    ClassicMultiGet(MetaMultiGet<V> items) {
        super(items.keys().get(0));
        this.items = items;
        this.keys = items.keys();
    }

    @Override
    public String verb() {
        return "get";
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        out.append(GET);
        for (String key : keys) {
            out.append(' ').appendKey(key, Key.checkLength(key));
        }
        out.endLine();
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        while (true) {
            if (isInBlock()) {
                if (!readBlock(in)) {
                    return false;
                }
                items.keep(current, clientFlags, data());
            }
            if (!in.nextLine()) {
                return false;
            }
            if (in.lineStartsWith(ClassicGet.VALUE)) {
                ClassicGet.nextKey(in);
                current = indexOfToken(in);
                clientFlags = ClassicGet.nextFlags(in);
                beginBlock(in);
            } else if (in.lineIs(ClassicGet.END) || takeError(in)) {
                return true;
            } else {
                throw in.malformed("not a reply to get");
            }
        }
    }

    /** The index of the key in the current token. Most hits come in order, so the search starts after the last one. */
    private int indexOfToken(ReplyBuffer in) throws MalformedReplyException {
        for (int n = 1; n <= keys.size(); n++) {
            int index = (current + n) % keys.size();
            if (!items.isKept(index) && in.tokenIs(keys.get(index))) {
                return index;
            }
        }
        throw in.malformed("a reply to another request (a key that was not requested, or that has a value already)");
    }

    @Override
    void beginSkip(ReplyBuffer in) {
        // A value above the limit fails its key, not the command.
    }

    @Override
    public int keyCount() {
        return items.keyCount();
    }

    @Override
    public int hits() {
        return items.hits();
    }

    @Override
    public MetaMultiGet.Found<V> result() {
        return items.result();
    }
}
