const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0')

/** Formats a time of this device to the second, with the milliseconds separate, so that log lines align. */
export const formatTime = (atMs: number): { time: string; rest: string } => {
  const at = new Date(atMs)
  return {
    time: `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`,
    rest: `.${pad(at.getMilliseconds(), 3)}`,
  }
}

/** Formats a duration since another event: `+40 ms`, `+1.24 s`, `+3 min`. */
export const formatGap = (ms: number): string => {
  if (ms < 1_000) return `+${Math.max(0, ms)} ms`
  return ms < 120_000 ? `+${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 0)} s` : `+${Math.round(ms / 60_000)} min`
}

/** Formats a size: `0 B`, `812 B`, `1.9 kB`. */
export const formatBytes = (bytes: number): string =>
  bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`

/** Returns the beginning of an id, enough to tell orders apart. */
export const shortenId = (id: string): string => (id.length > 13 ? `${id.slice(0, 8)}…` : id)
