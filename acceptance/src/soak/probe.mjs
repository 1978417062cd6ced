// Loaded into a service before it starts: on SIGUSR2 it collects garbage and writes the memory, the resources and the
// listeners of the process to the file that SOAK_PROBE names. Garbage is collected during the traffic too, because the
// driver frees statements with it: the memory of a process would otherwise grow by the longest time between collections.
import { renameSync, writeFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"

const delay = monitorEventLoopDelay({ resolution: 20 })
delay.enable()

const file = process.env.SOAK_PROBE

setInterval(() => globalThis.gc(), 2000).unref()

process.on("SIGUSR2", () => {
  // A second pass collects what finalizers have released.
  globalThis.gc()
  globalThis.gc()
  const resources = {}
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  const { heapTotal, heapUsed, rss } = process.memoryUsage()
  const memory = rss - heapTotal + heapUsed
  const delays = { p99: delay.percentile(99) / 1e6 - 20, max: delay.max / 1e6 - 20 }
  delay.reset()
  writeFileSync(`${file}.new`, JSON.stringify({ rss, memory, heapUsed, resources, listeners, delays }))
  renameSync(`${file}.new`, file)
})
