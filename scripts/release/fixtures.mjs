// Makes the files of the current versions that tests open for ever, where they are missing: `npm run fixtures`. Those of
// the version 0.0.0, which was never released, are made again. It also writes the lists of docs/stability.md.
import { become, setup } from "../setup.mjs"

setup()
process.env.MFG_FIXTURES = "write"
const tests = ["apps/mock/test/upgrade", "acceptance/test/releases", "acceptance/test/StabilityDocument.test.ts"]
become(["node_modules/vitest/vitest.mjs", "run", "--update", ...tests])
