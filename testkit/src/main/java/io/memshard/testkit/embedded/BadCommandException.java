// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

/** Exception for a request that the server rejects; the message is the reply line without its end of line. */
final class BadCommandException extends Exception {

    BadCommandException(String reply) {
        super(reply, null, false, false);
    }

    static BadCommandException badFormat() {
        return new BadCommandException("CLIENT_ERROR bad command line format");
    }

    String reply() {
        return String.valueOf(getMessage());
    }
}
