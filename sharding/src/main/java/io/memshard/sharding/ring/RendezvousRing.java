// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * Ring in which a key belongs to the server with the highest MurmurHash3_x86_32 of {@code host:port-key}. Source:
 * pymemcache, {@code rendezvous.py}; Thaler and Ravishankar, "A Name-Based Mapping Scheme for Rendezvous", 1996.
 */
record RendezvousRing() implements Ring {

    @Override
    public ServerLocator locator(List<Server> servers) {
        List<Server> copy = Servers.checked(servers);
        Servers.requireNoWeights(copy);
        return new Locator(copy, copy.stream().map(NodeKey.HOST_PORT::of).toArray(String[]::new));
    }

    private static final class Locator implements ServerLocator {

        private final List<Server> servers;
        private final String[] nodeKeys;
        private final byte[][] prefixes;
        private final int longest;

        Locator(List<Server> servers, String[] nodeKeys) {
            this.servers = servers;
            this.nodeKeys = nodeKeys;
            prefixes = new byte[nodeKeys.length][];
            int max = 0;
            for (int i = 0; i < nodeKeys.length; i++) {
                prefixes[i] = new byte[lowBytes(nodeKeys[i])];
                copyLowBytes(nodeKeys[i], prefixes[i], 0);
                prefixes[i][prefixes[i].length - 1] = '-';
                max = Math.max(max, prefixes[i].length);
            }
            longest = max;
        }

        /** Returns the length in bytes, with the separator. As in pymemcache, each character becomes one byte. */
        private static int lowBytes(String text) {
            return text.codePointCount(0, text.length()) + 1;
        }

        private static void copyLowBytes(String text, byte[] bytes, int offset) {
            int at = offset;
            int codePoint;
            for (int i = 0; i < text.length(); i += Character.charCount(codePoint)) {
                codePoint = text.codePointAt(i);
                bytes[at++] = (byte) codePoint;
            }
        }

        @Override
        public List<Server> servers() {
            return servers;
        }

        @Override
        public int locate(String key, IntPredicate accepts) {
            byte[] text = new byte[longest + lowBytes(key) - 1];
            copyLowBytes(key, text, longest);
            int winner = NONE;
            int highest = 0;
            for (int i = 0; i < prefixes.length; i++) {
                if (accepts.test(i)) {
                    int start = longest - prefixes[i].length;
                    System.arraycopy(prefixes[i], 0, text, start, prefixes[i].length);
                    int score = ByteHashes.murmur3(text, start, text.length - start, 0);
                    if (winner == NONE || isHigher(score, i, highest, winner)) {
                        highest = score;
                        winner = i;
                    }
                }
            }
            return winner;
        }

        private boolean isHigher(int score, int server, int highest, int winner) {
            int order = Integer.compareUnsigned(score, highest);
            return order > 0 || (order == 0 && nodeKeys[server].compareTo(nodeKeys[winner]) > 0);
        }
    }
}
