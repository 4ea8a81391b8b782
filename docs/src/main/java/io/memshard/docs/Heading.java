// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

/**
 * Heading with the text below it, up to the next heading.
 *
 * @param level 1 to 6
 * @param anchor id in the page, as on GitHub
 * @param title title of the heading
 * @param text text below the heading, without markup and table lines
 */
record Heading(int level, String anchor, String title, String text) {}
