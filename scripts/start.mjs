// Sets everything up and runs the service. Arguments are passed to it: `npm start -- --port 4011`. It listens on
// loopback only, with the same keys at every start unless MFG_MOCK_API_KEY and MFG_MOCK_ADMIN_KEY are set.
import { join } from "node:path"
import { localService } from "./local-service.mjs"
import { become, build, root, setup } from "./setup.mjs"

for (const [name, value] of Object.entries(localService)) process.env[name] ??= value
setup()
build("@mfgdata/mock")
become([join(root, "apps/mock/dist/mfg-mock.js"), "serve", ...process.argv.slice(2)])
