// Sets everything up and runs the service. Arguments are passed to it: `npm start -- --port 4011`. It listens on
// loopback only, with the same API key at every start unless MFG_MOCK_API_KEY is set.
import { join } from "node:path"
import { become, build, root, setup } from "./setup.mjs"

process.env.MFG_MOCK_API_KEY ??= "mfg_local_development"
// glibc keeps the memory of large requests otherwise: docs/limits.md.
process.env.MALLOC_ARENA_MAX ??= "2"
process.env.MALLOC_MMAP_THRESHOLD_ ??= "524288"
setup()
build("@mfgdata/mock")
become([join(root, "apps/mock/dist/mfg-mock.js"), "serve", ...process.argv.slice(2)])
