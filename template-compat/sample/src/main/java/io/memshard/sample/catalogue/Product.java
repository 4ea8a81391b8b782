// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.catalogue;

/**
 * What the shop sells.
 *
 * @param id its number, from 1
 * @param name its name
 * @param cents its price
 * @param description a few sentences about it
 */
public record Product(int id, String name, int cents, String description) {}
