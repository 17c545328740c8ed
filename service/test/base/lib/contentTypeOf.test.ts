import { expect, test } from 'vitest'
import { contentTypeOf } from '#base/lib/contentTypeOf.js'

const text = (content: string) => new TextEncoder().encode(content)
const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1'))))
const box = (...brands: string[]) => bytes([0, 0, 0, 8 + 4 * brands.length], 'ftyp', ...brands, 'more')
const ogg = (codec: string) => bytes('OggS', new Array<number>(24).fill(0), codec)

test.each([
  ['image/png', bytes([0x89], 'PNG\r\n', [0x1a], '\n', 'IHDR')],
  ['image/jpeg', bytes([0xff, 0xd8, 0xff, 0xe0], 'JFIF')],
  ['image/gif', text('GIF87a')],
  ['image/gif', text('GIF89a')],
  ['image/webp', bytes('RIFF', [1, 2, 3, 4], 'WEBPVP8 ')],
  ['image/avif', box('avif', '\0\0\0\0', 'mif1')],
  ['image/avif', box('mif1', '\0\0\0\0', 'avif')],
  ['image/svg+xml', text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['image/svg+xml', text('\ufeff\n<?xml version="1.0"?>\n<!-- a > b -->\n<!DOCTYPE svg>\n<svg\nwidth="1"/>')],
  ['video/mp4', box('isom', '\0\0\0\0', 'mp41')],
  ['video/mp4', box('mp42', '\0\0\0\0')],
  ['audio/mp4', box('M4A ', '\0\0\0\0', 'isom')],
  ['video/webm', bytes([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x84], 'webm')],
  ['audio/mpeg', text('ID3 a song')],
  ['audio/mpeg', bytes([0xff, 0xfb, 0x90, 0x44])],
  ['audio/ogg', ogg('\x01vorbis')],
  ['audio/ogg', ogg('OpusHead')],
  ['video/ogg', ogg('\x80theora')],
  ['application/pdf', text('%PDF-1.7')],
  ['application/json', text(' {"a":1}\n')],
  ['application/json', text('[1, "二"]')],
] as const)('default: %s, whatever it is said to be, %#', (contentType, content) => {
  for (const given of ['text/html', 'image/png', 'application/json', 'application/octet-stream', '']) {
    expect(contentTypeOf(content, given)).toBe(contentType)
  }
})

const unknown = [
  text('neither here nor there'),
  text('<html><svg>'),
  text('{"a":'),
  text('[object]'),
  text(''),
]

test.each(['image/bmp', 'audio/flac', 'video/quicktime', 'model/gltf-binary', 'application/json'])(
  'parameters: %s of what is not recognised',
  (given) => {
    for (const content of unknown) {
      expect(contentTypeOf(content, given)).toBe(given)
      expect(contentTypeOf(content, `${given.toUpperCase()}; charset=utf-8`)).toBe(given)
    }
  },
)

test.each([
  'text/html',
  'text/javascript',
  'application/xhtml+xml',
  'text/xml',
  'text/plain',
  'application/pdf',
  'image/',
  'image/png\r\nset-cookie: a',
  'images/png',
  '',
])('behavior: what is not recognised is never %j', (given) => {
  for (const content of unknown) expect(contentTypeOf(content, given)).toBe('application/octet-stream')
})

test.each([
  ['brackets', '['.repeat(20 * 1024 * 1024)],
  ['brackets that end', '['.repeat(500_000) + ']'.repeat(500_000 - 1)],
  ['comments', '<!---->'.repeat(1_000_000)],
])('behavior: %s without an end are no trouble', (_, content) => {
  expect(contentTypeOf(text(content), 'text/html')).toBe('application/octet-stream')
})
