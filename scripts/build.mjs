// `npm run build`: sets everything up, then builds every package.
import { build, setup } from "./setup.mjs"

setup()
build()
