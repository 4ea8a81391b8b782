// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.catalogue;

/**
 * Product of the shop.
 *
 * @param id number of the product, from 1
 * @param name name of the product
 * @param cents price in cents
 * @param description a few sentences about the product
 */
public record Product(int id, String name, int cents, String description) {}
