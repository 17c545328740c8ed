const pad = (value: number): string => String(value).padStart(2, '0')

/**
 * Formats a countdown: `4:05`, and `1:04:05` from one hour.
 *
 * @units Whole seconds.
 */
export const formatTimeLeft = (seconds: number): string => {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`
}
