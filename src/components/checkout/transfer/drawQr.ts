// A chunk of its own, with the encoder: only a page that shows a QR code loads it.
import { encode } from 'uqr'

/** As many light modules around the code as the standard asks for. */
const border = 4

/** Encodes a text, and returns the dark modules as one path, a run of them at a time, and how many modules a side has. */
export const drawQr = (text: string): { path: string; size: number } => {
  const { data, size } = encode(text, { ecc: 'M', border })
  const rows = data.map((row) => row.map((isDark) => (isDark ? '1' : '0')).join(''))
  const path = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  )
  return { path: path.join(''), size }
}
