// `npm start`: sets everything up, then runs the service. Arguments go to it: `npm start -- --port 4011`.
// Unless MFG_MOCK_API_KEY names another, the same key opens it at every start; it listens on this machine alone.
import { join } from "node:path"
import { become, build, root, setup } from "./setup.mjs"

process.env.MFG_MOCK_API_KEY ??= "mfg_local_development"
setup()
build("@mfgdata/mock")
become([join(root, "apps/mock/dist/mfg-mock.js"), "serve", ...process.argv.slice(2)])
