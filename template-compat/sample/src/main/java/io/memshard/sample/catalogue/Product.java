// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.catalogue;

/** Product of the shop. The first product has the {@code id} 1. */
public record Product(int id, String name, int cents, String description) {}
