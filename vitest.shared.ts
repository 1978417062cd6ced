import type { ViteUserConfig } from "vitest/config"

// Workspace packages resolve to their sources through the custom export condition, so tests need no build.
const conditions = ["@mfgdata/source"]

export default {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { include: ["test/**/*.test.ts"] }
} satisfies ViteUserConfig
