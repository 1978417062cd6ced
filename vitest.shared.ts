import { fileURLToPath } from "node:url"
import type { ViteUserConfig } from "vitest/config"

// Workspace packages resolve to their sources through the custom export condition, so tests need no build.
const conditions = ["@mfgdata/source"]

export default {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: [fileURLToPath(new URL("vitest.setup.ts", import.meta.url))],
    // a limit for what hangs: on a busy machine a test that starts a process is slow and not wrong
    testTimeout: 300_000,
    hookTimeout: 300_000
  }
} satisfies ViteUserConfig
