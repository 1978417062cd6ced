// Sets everything up and runs the service. Arguments are passed to it: `npm start -- --port 4011`. It listens on
// loopback only, with the same API key at every start unless MFG_MOCK_API_KEY is set.
import { join } from "node:path"
import { become, build, root, setup } from "./setup.mjs"

process.env.MFG_MOCK_API_KEY ??= "mfg_local_development"
setup()
build("@mfgdata/mock")
become([join(root, "apps/mock/dist/mfg-mock.js"), "serve", ...process.argv.slice(2)])
