/** What the metrics of a process say of its health. */
export type Health = {
  residentBytes: number
  heapBytes: number
  /** Since its start. */
  cpuSeconds: number
  /** The 99th percentile since the last reading. */
  loopDelaySeconds: number
  /** How long the oldest job has been due. */
  oldestJobSeconds: number
  /** Blocks in which payments were not looked for yet. */
  lagBlocks: number
}

/** Reads the metrics of a process of the service. */
export const readMetrics = async (port: number): Promise<Health> => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  const highest = (name: string): number =>
    lines
      .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
      .reduce((most, line) => Math.max(most, Number(line.slice(line.lastIndexOf(' ') + 1))), 0)
  return {
    residentBytes: highest('process_resident_memory_bytes'),
    heapBytes: highest('nodejs_heap_size_used_bytes'),
    cpuSeconds: highest('process_cpu_seconds_total'),
    loopDelaySeconds: highest('nodejs_eventloop_lag_p99_seconds'),
    oldestJobSeconds: highest('kassa_job_oldest_age_seconds'),
    lagBlocks: highest('kassa_payments_lag_blocks'),
  }
}
