import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { stripMetadata } from '#base/lib/stripMetadata.js'
import { jpeg, png, webp } from '../../helpers/pictures.js'

const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))
const join = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts))
const includes = (bytes: Uint8Array | undefined, text: string): boolean =>
  Buffer.from(bytes ?? []).includes(Buffer.from(text, 'latin1'))

/** The place where the picture was taken, as it is to be found nowhere. */
const place = 'N 52.5200 E 13.4050'

/** Exif data: how the camera was held, and a place. */
const exifOf = (orientation: number, order: 'II' | 'MM'): Uint8Array => {
  const tiff = Buffer.alloc(26)
  const isLittle = order === 'II'
  const write16 = (value: number, at: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at)
  const write32 = (value: number, at: number) =>
    isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at)
  tiff.write(order, 0, 'latin1')
  write16(42, 2)
  write32(8, 4)
  write16(1, 8)
  write16(0x0112, 10)
  write16(3, 12)
  write32(1, 14)
  write16(orientation, 18)
  return join(latin('Exif\0\0'), tiff, latin(place))
}

const segment = (marker: number, data: Uint8Array): Uint8Array => {
  const length = data.length + 2
  return join(Uint8Array.from([0xff, marker, length >> 8, length & 0xff]), data)
}

/** A JPEG picture with segments after its first one. */
const jpegWith = (...segments: Uint8Array[]): Uint8Array => {
  // The first segment, APP0, has 18 bytes after the two that begin the file.
  return join(jpeg.subarray(0, 20), ...segments, jpeg.subarray(20))
}

describe('a JPEG picture', () => {
  test('default: stays as it is if it says nothing', () => {
    expect(stripMetadata(jpeg, 'image/jpeg')).toEqual(jpeg)
  })

  test.each<[string, Uint8Array]>([
    ['Exif', jpegWith(segment(0xe1, exifOf(1, 'II')))],
    ['XMP', jpegWith(segment(0xe1, latin(`http://ns.adobe.com/xap/1.0/\0${place}`)))],
    ['IPTC', jpegWith(segment(0xed, latin(`Photoshop 3.0\0${place}`)))],
    ['another application', jpegWith(segment(0xe5, latin(place)))],
    ['a list of further pictures', jpegWith(segment(0xe2, latin(`MPF\0${place}`)))],
    ['a comment', jpegWith(segment(0xfe, latin(place)))],
    ['what follows its end', join(jpeg, jpegWith(segment(0xe1, exifOf(1, 'MM'))))],
  ])('behavior: loses %s', (_, bytes) => {
    expect(includes(bytes, place)).toBe(true)
    expect(stripMetadata(bytes, 'image/jpeg')).toEqual(jpeg)
  })

  test.each(['II', 'MM'] as const)('behavior: keeps how the camera was held (%s)', (order) => {
    const stripped = stripMetadata(jpegWith(segment(0xe1, exifOf(6, order))), 'image/jpeg')
    expect(includes(stripped, place)).toBe(false)
    const at = Buffer.from(stripped ?? []).indexOf('Exif')
    expect(stripped?.[at + 6 + 19]).toBe(6)
    // Its own data is Exif that can be stripped again.
    expect(stripMetadata(stripped ?? new Uint8Array(), 'image/jpeg')).toEqual(stripped)
  })

  test('behavior: keeps its colour profile', () => {
    const profiled = jpegWith(segment(0xe2, latin('ICC_PROFILE\0profile')))
    expect(stripMetadata(profiled, 'image/jpeg')).toEqual(profiled)
  })
})

const chunkOf = (type: string, data: Uint8Array): Uint8Array => {
  const named = join(latin(type), data)
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return join(length, named, check)
}

test.each(['eXIf', 'tEXt', 'zTXt', 'iTXt'])('behavior: a PNG picture loses its %s', (type) => {
  const bytes = join(png.subarray(0, 33), chunkOf(type, latin(place)), png.subarray(33))
  expect(includes(bytes, place)).toBe(true)
  expect(stripMetadata(bytes, 'image/png')).toEqual(png)
})

test('behavior: a WebP picture loses its Exif and XMP, and what announces them', () => {
  const part = (type: string, data: Uint8Array) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(data.length)
    return join(latin(type), length, data, new Uint8Array(data.length % 2))
  }
  const flagsOf = (flags: number) => part('VP8X', Uint8Array.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
  const fileOf = (...parts: Uint8Array[]) => {
    const body = join(latin('WEBP'), ...parts)
    const length = Buffer.alloc(4)
    length.writeUInt32LE(body.length)
    return join(latin('RIFF'), length, body)
  }
  const picture = webp.subarray(12)
  const bytes = fileOf(flagsOf(0x1c), picture, part('EXIF', exifOf(1, 'II')), part('XMP ', latin(place)))
  expect(includes(bytes, place)).toBe(true)
  expect(stripMetadata(bytes, 'image/webp')).toEqual(fileOf(flagsOf(0x10), picture))
  expect(stripMetadata(webp, 'image/webp')).toEqual(webp)
})

test.each<[string, Uint8Array]>([
  ['image/jpeg', Uint8Array.from([0xff, 0xd8, 0xff])],
  ['image/jpeg', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0])],
  ['image/jpeg', jpeg.subarray(0, 100)],
  ['image/jpeg', Uint8Array.from([0xff, 0xd8, 0xff, 0xd9])],
  ['image/png', png.subarray(0, 8)],
  ['image/png', png.subarray(0, 40)],
  ['image/webp', latin('RIFF\0\0\0\0WEBP')],
  ['image/webp', latin('RIFF\0\0\0\0WEBPVP8 ')],
])('behavior: bytes that only begin like %s are no picture', (contentType, bytes) => {
  expect(stripMetadata(bytes, contentType)).toBeUndefined()
})
