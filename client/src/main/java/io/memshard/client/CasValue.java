package io.memshard.client;

/**
 * A value with the cas unique it was read under, for a later {@code cas}.
 *
 * @param value the decoded value
 * @param casUnique the item's 64-bit version, unsigned, assigned by the server; 0 from one that runs with cas switched
 *     off ({@code -C}), where {@code cas} cannot be used
 */
public record CasValue<V>(V value, long casUnique) {}
