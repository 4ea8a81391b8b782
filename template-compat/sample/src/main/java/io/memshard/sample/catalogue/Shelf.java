// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.catalogue;

import java.util.List;

/**
 * The products of which the shop sells most.
 *
 * @param number of the shelf, from 0
 * @param products on it
 */
public record Shelf(int number, List<Product> products) {}
