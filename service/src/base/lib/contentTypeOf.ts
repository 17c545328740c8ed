/** JSON of more bytes is not recognized: its type must be given. */
const maxJsonBytes = 1024 * 1024

const headBytes = 1024

const ftyp = (brand: string) => new RegExp(`^.{4}ftyp${brand}`, 's')
const comments = '(<!--((?!-->).)*-->\\s*)*'
const prologue = `(\\xef\\xbb\\xbf)?\\s*(<\\?xml[^>]*>\\s*)?${comments}(<!DOCTYPE svg[^>]*>\\s*)?${comments}`

/** The first bytes of each type, one character for each byte. The first match decides. */
const signatures: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [ftyp('(avi[fs]|mif1.{0,40}avif)'), 'image/avif'],
  [ftyp('M4[AB] '), 'audio/mp4'],
  [ftyp('(iso[m2-9]|mp4[12]|avc1|dash|M4V |MSNV)'), 'video/mp4'],
  [/^.E\xdf\xa3.{0,40}webm/s, 'video/webm'],
  [/^(ID3|\xff[\xf2\xf3\xfa\xfb])/, 'audio/mpeg'],
  [/^OggS.{24}\x80theora/s, 'video/ogg'],
  [/^OggS/, 'audio/ogg'],
  [/^%PDF-/, 'application/pdf'],
  [new RegExp(`^${prologue}<svg[\\s/>]`, 'is'), 'image/svg+xml'],
]

const isJson = (bytes: Uint8Array): boolean => {
  if (bytes.length > maxJsonBytes) return false
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return true
  } catch {
    return false
  }
}

/** Types that a browser shows or plays, and never runs as a page. */
const harmless = /^((image|audio|video|model)\/[a-z\d][a-z\d!#$&^_.+-]*|application\/json)$/

/**
 * Returns the type of a file. Its bytes decide, so that the first caller to store it does not decide for all others.
 * Where they say nothing, the given type counts if it is harmless.
 */
export const contentTypeOf = (bytes: Uint8Array, given: string): string => {
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString('latin1')
  const known = signatures.find(([signature]) => signature.test(head))?.[1]
  if (known !== undefined) return known
  if (/^\s*[[{]/.test(head) && isJson(bytes)) return 'application/json'
  const type = given.toLowerCase().split(';')[0]?.trim() ?? ''
  return harmless.test(type) ? type : 'application/octet-stream'
}
