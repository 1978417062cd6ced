/**
 * Measures the process: processor time, memory, open files and the event loop.
 */
import { readdirSync } from "node:fs"
import { getHeapStatistics } from "node:v8"
import * as ResidentMemory from "../../store/sqlite/readers/ResidentMemory.ts"
import type * as EventLoopLag from "./EventLoopLag.ts"
import { counter, gauge, type Pairs } from "./Pair.ts"

/** The number of open files, on systems that report it. */
const openFiles = (): Pairs => {
  try {
    return [gauge("process_open_fds", "Open file descriptors, including sockets.", readdirSync("/proc/self/fd").length)]
  } catch {
    return []
  }
}

/** The metrics of the process now; the delays of the event loop are those since the last call with this reader. */
export const take = (lag: EventLoopLag.EventLoopLag): Pairs => {
  const { system, user } = process.cpuUsage()
  const rss = ResidentMemory.bytes()
  const { idle } = performance.eventLoopUtilization()
  return [
    counter("process_cpu_seconds_total", "User and system processor time in seconds.", (system + user) / 1e6),
    ...(rss === undefined ? [] : [gauge("process_resident_memory_bytes", "Resident memory in bytes.", rss)]),
    gauge(
      "process_start_time_seconds",
      "Start time of the process in seconds since 1970-01-01T00:00:00Z.",
      performance.timeOrigin / 1000
    ),
    ...openFiles(),
    gauge("nodejs_heap_size_used_bytes", "JavaScript heap in use, in bytes.", getHeapStatistics().used_heap_size),
    counter("nodejs_eventloop_idle_seconds_total", "Idle time of the event loop in seconds.", idle / 1000),
    ...lag
      .take()
      .map(({ name, seconds }) =>
        gauge(
          `nodejs_eventloop_lag_${name}_seconds`,
          `Delay of timers by the event loop in seconds since the last scrape: ${name}.`,
          seconds
        )
      )
  ]
}
