/** The markers of a JPEG file that begin its picture. */
const frames = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  Buffer.from(bytes.subarray(at, at + length)).toString('latin1')

const join = (parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts))

/** Reads how a camera was held from the data of an Exif segment, from 1 (upright) to 8. */
const readOrientation = (segment: Uint8Array): number => {
  if (textAt(segment, 0, 6) !== 'Exif\0\0') return 1
  const tiff = Buffer.from(segment.subarray(6))
  if (tiff.length < 10) return 1
  const isLittle = textAt(tiff, 0, 2) === 'II'
  const read16 = (at: number): number =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const count = read16(first)
  for (let entry = 0; entry < count; entry++) {
    const at = first + 2 + 12 * entry
    if (read16(at) === 0x0112) return read16(at + 8)
  }
  return 1
}

/** Creates an Exif segment that says how the camera was held, and nothing else. */
const createOrientation = (orientation: number): Uint8Array =>
  Uint8Array.from([
    0xff,
    0xe1,
    0,
    34,
    ...Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01', 'latin1'),
    0x01,
    0x12,
    0,
    3,
    0,
    0,
    0,
    1,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
  ])

const stripJpeg = (bytes: Uint8Array): Uint8Array | undefined => {
  const parts = [bytes.subarray(0, 2)]
  let orientation = 1
  let hasFrame = false
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === 0xd9) break
    const end = at + 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))
    if (end > bytes.length) return undefined
    const data = bytes.subarray(at + 4, end)
    hasFrame ||= frames.has(marker)
    if (marker === 0xe1) orientation = Math.max(orientation, readOrientation(data))
    const isProfile = marker === 0xe2 && textAt(data, 0, 11) === 'ICC_PROFILE'
    // The other segments of applications, and comments, may say who took the picture, where and with what.
    const isShown = marker <= 0xe0 || marker === 0xee || isProfile
    if (isShown) parts.push(bytes.subarray(at, end))
    at = end
    if (marker !== 0xda) continue
    while (at + 1 < bytes.length) {
      const next = bytes[at + 1] ?? 0
      if (bytes[at] === 0xff && next !== 0 && next !== 0xff && !isRestart(next)) break
      at++
    }
    parts.push(bytes.subarray(end, at))
    if (bytes[at + 1] !== 0xd9) continue
    if (!hasFrame) return undefined
    const held = orientation > 1 && orientation <= 8 ? [createOrientation(orientation)] : []
    // What follows the end of the picture is not shown: cameras keep a second picture there.
    return join([...parts.slice(0, 1), ...held, ...parts.slice(1), Uint8Array.from([0xff, 0xd9])])
  }
  return undefined
}

const hiddenInPng = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'])

const stripPng = (bytes: Uint8Array): Uint8Array | undefined => {
  const buffer = Buffer.from(bytes)
  const parts = [bytes.subarray(0, 8)]
  let hasPixels = false
  let at = 8
  while (at + 12 <= bytes.length) {
    const end = at + 12 + buffer.readUInt32BE(at)
    const type = textAt(bytes, at + 4, 4)
    if (end > bytes.length || (at === 8 && type !== 'IHDR')) return undefined
    hasPixels ||= type === 'IDAT'
    if (!hiddenInPng.has(type)) parts.push(bytes.subarray(at, end))
    if (type === 'IEND') return hasPixels ? join(parts) : undefined
    at = end
  }
  return undefined
}

/** The flags of a WebP file that announce Exif and XMP. */
const hiddenFlags = 0x0c

const stripWebp = (bytes: Uint8Array): Uint8Array | undefined => {
  const buffer = Buffer.from(bytes)
  const parts: Uint8Array[] = []
  let hasPixels = false
  let at = 12
  while (at + 8 <= bytes.length) {
    const size = buffer.readUInt32LE(at + 4)
    const end = at + 8 + size + (size % 2)
    if (at + 8 + size > bytes.length) return undefined
    const type = textAt(bytes, at, 4)
    hasPixels ||= type === 'VP8 ' || type === 'VP8L' || type === 'ANMF'
    const part = Uint8Array.from(bytes.subarray(at, end))
    if (type === 'VP8X') part[8] = (part[8] ?? 0) & ~hiddenFlags
    if (type !== 'EXIF' && type !== 'XMP ') parts.push(part)
    at = end
  }
  if (!hasPixels) return undefined
  const body = join(parts)
  const head = Buffer.from(bytes.subarray(0, 12))
  head.writeUInt32LE(body.length + 4, 4)
  return join([head, body])
}

/**
 * Removes what a picture says about its photographer: the place, the time, the camera, previews and comments. How the
 * camera was held and the colour profile stay, because they are shown. AVIF, GIF and SVG pictures stay as they are.
 *
 * @returns `undefined` if the bytes are no picture of that type.
 */
export const stripMetadata = (bytes: Uint8Array, contentType: string): Uint8Array | undefined => {
  switch (contentType) {
    case 'image/jpeg':
      return stripJpeg(bytes)
    case 'image/png':
      return stripPng(bytes)
    case 'image/webp':
      return stripWebp(bytes)
    default:
      return bytes
  }
}
