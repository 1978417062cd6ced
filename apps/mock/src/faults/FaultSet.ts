/**
 * The ready sets of fault rules, each a situation that clients meet.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"

type Rules = ReadonlyArray<AdminApi.FaultRule>

const html = { "Content-Type": "text/html; charset=utf-8" }

/** The error page of a gateway that does not know the service. */
const page = (status: number, title: string): AdminApi.FaultRule => ({
  name: `page ${status}`,
  probability: 0.03,
  status,
  headers: html,
  body: `<html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>`
})

export const ready = {
  "flaky-network": [
    { name: "latency", latency: { normal: [80, 40] } },
    { name: "reset before", probability: 0.03, reset: "before-commit" },
    { name: "reset after", probability: 0.02, reset: "after-commit" },
    { name: "truncate", probability: 0.02, truncate: 0.5 }
  ],
  "slow-mobile": [
    { name: "latency", latency: { p50: 300, p99: 2000 } },
    { name: "bandwidth", bandwidth: { down: 50_000, up: 20_000 } },
    { name: "hang", probability: 0.005, hang: "before-commit" }
  ],
  overloaded: [
    { name: "latency", latency: { p50: 100, p99: 3000 } },
    { name: "unavailable", probability: 0.1, status: 503, headers: { "Retry-After": "1" } },
    { name: "rate limit", probability: 0.1, status: 429, headers: { "Retry-After": "1" } }
  ],
  "lost-answers": [
    { name: "reset", probability: 0.1, reset: "after-commit" },
    { name: "hang", probability: 0.02, hang: "after-commit" }
  ],
  failover: [
    { name: "lost", first: 3, reset: "after-commit" },
    { name: "refused", after: 3, first: 10, reset: "before-commit" },
    { name: "unavailable", after: 10, first: 30, store: "unavailable" },
    { name: "slow", after: 30, first: 60, latency: { fixed: 250 } }
  ],
  "hostile-gateway": [
    page(502, "Bad Gateway"),
    page(504, "Gateway Time-out"),
    { name: "sign-in", probability: 0.02, status: 302, headers: { Location: "/sign-in" }, body: "" },
    { name: "truncate", probability: 0.02, truncate: 0.5 },
    { name: "malform", probability: 0.02, malform: true },
    { name: "content type", probability: 0.02, contentType: "text/html" }
  ]
} satisfies { readonly [S in AdminApi.ReadySet]: Rules }
