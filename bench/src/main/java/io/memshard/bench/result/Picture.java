// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

/** Drawing as SVG. The {@code finding} says in words what the drawing shows. */
public record Picture(String finding, String svg) {}
