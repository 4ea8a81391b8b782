package io.memshard.client;

/**
 * A value as the server keeps it.
 *
 * @param data the bytes, not copied; not to be changed until the command is over
 * @param flags the item's client flags, an opaque unsigned 32-bit number to the server
 */
// An array in a record: identity equality is all that anybody needs of it.
@SuppressWarnings("ArrayRecordComponent")
public record EncodedValue(byte[] data, int flags) {}
