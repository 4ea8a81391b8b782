// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

/**
 * A heading and what is below it, up to the next heading.
 *
 * @param level 1 to 6
 * @param anchor its id in the page, as on GitHub
 * @param text what is below it, without marks and tables' lines
 */
record Heading(int level, String anchor, String title, String text) {}
