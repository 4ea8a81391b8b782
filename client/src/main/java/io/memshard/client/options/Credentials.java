// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import java.util.Objects;

/**
 * Credentials of a client for a server started with {@code memcached -Y file}.
 *
 * <p>Threading: immutable. {@link #toString} hides the password.
 *
 * @param user name of the user, without spaces, control characters and colons
 * @param password password of the user, without spaces and control characters
 */
public record Credentials(String user, String password) {

    /** Checks the user and the password. No exception message contains the password. */
    public Credentials {
        Objects.requireNonNull(user, "user is null");
        Objects.requireNonNull(password, "password is null");
        if (user.isEmpty() || hasBlank(user) || user.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "user is \"" + user + "\", but must be a name without spaces, control characters or colons");
        }
        if (password.isEmpty() || hasBlank(password)) {
            throw new IllegalArgumentException("the password of user \"" + user
                    + "\" is empty or has a space or control character, which memcached does not accept");
        }
    }

    private static boolean hasBlank(String text) {
        return text.chars().anyMatch(c -> c <= ' ' || c == 0x7f);
    }

    /** Returns the user, never the password. */
    @Override
    public String toString() {
        return "Credentials[user=" + user + ", password hidden]";
    }
}
