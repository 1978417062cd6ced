import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    projects: ["packages/*", "apps/*", "acceptance", "examples/*", "testing/*"],
    globalSetup: ["testing/postgres/src/globalSetup.ts"]
  }
})
