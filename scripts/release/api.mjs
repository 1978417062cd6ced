// Builds the libraries and writes the reports of their types: `npm run api`.
import { build, become, root, setup } from "../setup.mjs"

setup()
build()
become(["scripts/release/check-api.mjs", "--update", ...process.argv.slice(2), root])
