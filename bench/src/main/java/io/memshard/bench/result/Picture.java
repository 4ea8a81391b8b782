// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

/** Drawing as SVG. The {@code finding} is plain text for readers who cannot see the drawing. */
public record Picture(String finding, String svg) {}
