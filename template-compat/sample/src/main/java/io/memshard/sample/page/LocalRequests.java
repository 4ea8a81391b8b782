// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.page;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Filter that rejects requests that another site's page could have sent.
 *
 * <p>A post must have the header {@value #HEADER}. A page of another site cannot add the header without a permission,
 * which this application never grants. The host must be an address of this machine, or the address that this
 * application listens on. So a request under another site's name that resolves to this machine is rejected too.
 */
@Component
class LocalRequests extends OncePerRequestFilter {

    static final String HEADER = "X-Memshard-Sample";

    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]", "0:0:0:0:0:0:0:1", "::1");

    private final String ownHost;

    LocalRequests(@Value("${server.address}") String ownHost) {
        this.ownHost = ownHost;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String host = request.getServerName();
        if (!LOCAL.contains(host) && !host.equals(ownHost)) {
            reject(response, "the host " + host + " is not this application: use its address");
        } else if (!HttpMethod.GET.matches(request.getMethod()) && request.getHeader(HEADER) == null) {
            reject(response, "the header " + HEADER + " is missing: only the page of this application may post");
        } else {
            response.setHeader("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'");
            response.setHeader("X-Content-Type-Options", "nosniff");
            chain.doFilter(request, response);
        }
    }

    private static void reject(HttpServletResponse response, String reason) throws IOException {
        response.setStatus(HttpServletResponse.SC_FORBIDDEN);
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().println(reason);
    }
}
