import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    projects: ["packages/*", "apps/*", "acceptance", "examples/*", "testing/*"],
    globalSetup: ["testing/postgres/src/globalSetup.ts"],
    // a process runs one file after the other: loading effect anew for each would double the time of the whole
    isolate: false,
    // the default leaves a core to a watcher, and a run has none
    maxWorkers: "100%",
    minWorkers: 1
  }
})
