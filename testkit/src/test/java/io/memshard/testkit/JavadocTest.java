// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JavadocTest {

    @Test
    void sentencesEndAtFullStopsBlocksAndTags() {
        String comment = """

                 * Sends {@code "a b c"} to {@link Server#name(int, int)}, e.g.
                 * a.b:11211. {@link Server The server} answers (or fails.) Then
                 * it <em>ends</em>! memcached too. {@code x} as well.
                 *
                 * <p>A list:
                 * <ul>
                 *   <li>one thing
                 *   <li>another
                 * </ul>
                 *
                 * <pre>{@code
                 * no prose. At all.
                 * }</pre>
                 *
                 * @param name of the server
                 * @return version 1.6.18, if any
                 """;

        assertThat(Javadoc.sentences(comment))
                .containsExactly(
                        "Sends code to link, e.g. a.b:11211.",
                        "The server answers (or fails.)",
                        "Then it ends!",
                        "memcached too.",
                        "code as well.",
                        "A list:",
                        "one thing",
                        "another",
                        "of the server",
                        "version 1.6.18, if any");
    }

    @Test
    void firstWordIsThatOfTheDescription() {
        assertThat(Javadoc.firstWord(" Whether it runs. ")).isEqualTo("Whether");
        assertThat(Javadoc.firstWord("\n     * As {@link Server}, but\n     * faster.\n     "))
                .isEqualTo("As");
        assertThat(Javadoc.firstWord(" {@inheritDoc} What else. ")).isEmpty();
        assertThat(Javadoc.firstWord("\n     * @param name what it is\n     ")).isEmpty();
    }
}
