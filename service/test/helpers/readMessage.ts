/** A message as its recipient's mail program reads it. */
export type ReadMessage = { headers: ReadonlyMap<string, string>; bodies: ReadonlyMap<string, string> }

const fromQuoted = (text: string): Buffer =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

const decodeWords = (value: string): string => {
  const bytes = value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_, kind: string, text: string) =>
      (kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64')
        : fromQuoted(text.replaceAll('_', ' '))
      ).toString('latin1'),
    )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const readHeaders = (text: string): Map<string, string> =>
  new Map(
    text
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())]
      }),
  )

const split = (text: string): [Map<string, string>, string] => {
  const at = text.indexOf('\r\n\r\n')
  return [readHeaders(text.slice(0, at)), text.slice(at + 4)]
}

/** Reads a message of several bodies: its headers, and the bodies by their types. */
export const readMessage = (raw: Buffer): ReadMessage => {
  const [headers, rest] = split(raw.toString('latin1'))
  const boundary = /boundary="(.*?)"/.exec(headers.get('content-type') ?? '')?.[1]
  if (!boundary) throw new Error('the message has one body only')
  const bodies = new Map<string, string>()
  for (const part of rest.split(`--${boundary}`).slice(1, -1)) {
    const [partHeaders, content] = split(part.replace(/^\r\n/, ''))
    const [type] = (partHeaders.get('content-type') ?? '').split(';')
    const encoding = partHeaders.get('content-transfer-encoding')
    const bytes =
      encoding === 'base64'
        ? Buffer.from(content, 'base64')
        : encoding === 'quoted-printable'
          ? fromQuoted(content)
          : Buffer.from(content, 'latin1')
    bodies.set(type ?? '', bytes.toString('utf8').replaceAll('\r\n', '\n').trimEnd())
  }
  return { headers, bodies }
}
