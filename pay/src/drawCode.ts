import { encode } from 'uqr'

/** Encodes a text as a QR code: the dark modules as one path, and how many modules a side has. */
export const drawCode = (text: string): { path: string; size: number } => {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const runs = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { path: runs.join(''), size }
}
