// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

/**
 * Drawing, with its finding in words for readers who cannot see the drawing. Threading: immutable.
 *
 * @param finding plain text: the description inside the SVG and the alternative text on a page
 * @param svg the drawing
 */
public record Picture(String finding, String svg) {}
