// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.page;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Filter that rejects POST requests without the header {@value #HEADER}, which pages of other sites cannot add. */
@Component
class LocalRequests extends OncePerRequestFilter {

    static final String HEADER = "X-Memshard-Sample";

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!HttpMethod.GET.matches(request.getMethod()) && request.getHeader(HEADER) == null) {
            response.setStatus(HttpServletResponse.SC_FORBIDDEN);
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter()
                    .println("the header " + HEADER + " is missing: only the page of this application may post");
        } else {
            response.setHeader("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'");
            response.setHeader("X-Content-Type-Options", "nosniff");
            chain.doFilter(request, response);
        }
    }
}
