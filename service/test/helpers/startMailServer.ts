import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { type ReadMessage, readMessage } from './readMessage.js'

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
