package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.List;

/**
 * {@code get} of many keys: the classic form of a {@link MetaMultiGet}, into which it puts what it reads.
 *
 * <p>Each value says its key, which has to be one that was asked for and had no value yet. Proxies that ask
 * several servers may give values out of the order of the keys. An error in the place of a value or the end refuses
 * the whole command.
 *
 * <p>Protocol: {@code get <key>*\r\n}, replied {@code VALUE <key> <flags> <bytes>\r\n<data block>\r\n} for each hit,
 * then {@code END\r\n}; protocol.txt, section "Retrieval command". The line has at most 100 keys, so 25 KiB: above
 * 2 KiB memcached takes no line but this.
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
            out.append(' ').appendKey(key, Key.checkedLength(key));
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
                throw in.malformed("no reply to get");
            }
        }
    }

    /** Which key the current token is: most often the next one that has a value. */
    private int indexOfToken(ReplyBuffer in) throws MalformedReplyException {
        for (int n = 1; n <= keys.size(); n++) {
            int index = (current + n) % keys.size();
            if (!items.isKept(index) && in.tokenIs(keys.get(index))) {
                return index;
            }
        }
        throw in.malformed("a reply to another request (the value of a key that was not asked for, or twice)");
    }

    @Override
    void beginSkip(ReplyBuffer in) {
        // One value too large is that key's failure, not the command's.
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
