// SPDX-License-Identifier: Apache-2.0
package com.example;

import java.io.Serializable;

/** Value of an application that its old client stored by Java serialization. */
public record Order(String id) implements Serializable {}
