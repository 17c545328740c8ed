import nodemailer from 'nodemailer'
import type { Mailer } from './port.js'

/** A mail server, and the address that mails come from. */
export type SmtpConfig = { url: string; from: string }

const patienceMs = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 30_000,
}

const read = (error: unknown, field: 'code' | 'command' | 'responseCode'): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined

/** The code with which the server said that trying again is of no use. */
const refusalOf = (error: unknown): number | undefined => {
  const [command, code] = [read(error, 'command'), read(error, 'responseCode')]
  const isAboutThisMail = command === 'RCPT TO' || command === 'DATA'
  return isAboutThisMail && typeof code === 'number' && code >= 500 ? code : undefined
}

// The server's own words repeat the address, and perhaps more of what it was told.
const describe = (error: unknown): string =>
  (['code', 'command', 'responseCode'] as const)
    .map((field) => read(error, field))
    .filter((value) => value !== undefined)
    .join(' ')

// A list of addresses, or one with a name, would be taken apart and sent to each.
const oneAddress = /^[^\s\p{Cc},;:<>()[\]\\"@]+@[^\s\p{Cc},;:<>()[\]\\"@]+$/u
const badAddress = 553

/** Whether a password would be told to another machine, where whoever is between could take the offer of TLS away. */
const isPasswordAbroad = (url: string): boolean => {
  const { username, hostname } = new URL(url)
  return username !== '' && !/^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname)
}

/**
 * Sends through an SMTP server: `smtps://` speaks TLS from the start, `smtp://` as soon as the server offers it. A
 * password leaves this machine only with TLS, unless the URL says `?requireTLS=false`.
 */
export const createSmtpMailer = ({ url, from }: SmtpConfig): Mailer => {
  const transport = nodemailer.createTransport({ url, requireTLS: isPasswordAbroad(url), ...patienceMs })
  const domain = from.slice(from.lastIndexOf('@') + 1)
  return {
    send: async ({ id, to, sender, subject, text, html, locale }) => {
      if (!oneAddress.test(to)) return { status: 'refused', code: badAddress }
      try {
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          from: { name: sender, address: from },
          to: { name: '', address: to },
          subject,
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': locale },
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        return { status: 'sent' }
      } catch (error) {
        const code = refusalOf(error)
        if (code !== undefined) return { status: 'refused', code }
        throw new Error(`the mail server did not take a mail: ${describe(error)}`)
      }
    },
  }
}
