// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.catalogue;

import java.util.List;

/** Group of bestsellers that the shop shows together. */
public record Shelf(int number, List<Product> products) {}
