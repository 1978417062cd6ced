// Sets everything up and builds every package: `npm run build`.
import { build, setup } from "./setup.mjs"

setup()
build()
