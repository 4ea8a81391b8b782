// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.catalogue;

import java.util.List;

/**
 * Group of bestsellers that the shop shows together.
 *
 * @param number number of the shelf, from 0
 * @param products products on the shelf
 */
public record Shelf(int number, List<Product> products) {}
