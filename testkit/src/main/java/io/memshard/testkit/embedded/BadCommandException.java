// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

/** Exception for a request that the server rejects. The message is the reply without its end of line. */
final class BadCommandException extends Exception {

    static final String BAD_FORMAT = "CLIENT_ERROR bad command line format";

    BadCommandException(String reply) {
        super(reply, null, false, false);
    }

    String reply() {
        return String.valueOf(getMessage());
    }
}
