import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A message as its recipient's mail program reads it. */
type ReadMessage = { headers: ReadonlyMap<string, string>; bodies: ReadonlyMap<string, string> }

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
const readMessage = (raw: Buffer): ReadMessage => {
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

/** A message as a mail server received it. */
export type ReceivedMail = {
  from: string
  to: string[]
  user: string | undefined
  isEncrypted: boolean
  message: ReadMessage
}

const addressOf = (envelope: false | { address: string }): string => (envelope ? envelope.address : '')

/** Starts a mail server that keeps its messages. With `contentCode` it refuses each one after reading it. */
export const startMailServer = async ({
  contentCode,
  ...options
}: SMTPServerOptions & { contentCode?: number } = {}) => {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    ...options,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({
          from: addressOf(session.envelope.mailFrom),
          to: session.envelope.rcptTo.map(({ address }) => address),
          user: session.user,
          isEncrypted: session.secure,
          message: readMessage(Buffer.concat(chunks)),
        })
        done(contentCode ? Object.assign(new Error('no'), { responseCode: contentCode }) : null)
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    received,
    port,
    /** Its address for clients that need no password. */
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
