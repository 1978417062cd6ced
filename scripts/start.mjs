// `npm start`: sets everything up, then runs the service. Arguments go to it: `npm start -- --port 4011`.
import { join } from "node:path"
import { become, build, root, setup } from "./setup.mjs"

setup()
build("@mfgdata/mock")
become([join(root, "apps/mock/dist/bin.js"), "serve", ...process.argv.slice(2)])
