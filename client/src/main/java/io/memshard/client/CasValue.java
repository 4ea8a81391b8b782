package io.memshard.client;

/**
 * A value with its cas unique when it was read, for a later {@code cas}.
 *
 * @param value the decoded value
 * @param casUnique the item's 64-bit version, unsigned, assigned by the server. It is 0 from a server without cas
 *     ({@code -C}), where {@code cas} cannot be used
 */
public record CasValue<V>(V value, long casUnique) {}
