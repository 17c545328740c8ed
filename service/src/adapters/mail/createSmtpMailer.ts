import nodemailer from 'nodemailer'
import type { Mailer } from '#base/ports/mail.js'

/** A mail server and the sender's address. */
export type SmtpConfig = { url: string; from: string }

const patienceMs = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 30_000,
}

const read = (error: unknown, field: 'code' | 'command' | 'responseCode'): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined

/** Returns the code with which the server refused permanently. */
const refusalOf = (error: unknown): number | undefined => {
  const [command, code] = [read(error, 'command'), read(error, 'responseCode')]
  const isAboutThisMail = command === 'RCPT TO' || command === 'DATA'
  return isAboutThisMail && typeof code === 'number' && code >= 500 ? code : undefined
}

// Omits the server's own words, which repeat the address and perhaps other data sent to it.
const describe = (error: unknown): string =>
  (['code', 'command', 'responseCode'] as const)
    .map((field) => read(error, field))
    .filter((value) => value !== undefined)
    .join(' ')

// Rejects a list of addresses, or one with a name, which would be split and sent to each part.
const oneAddress = /^[^\s\p{Cc},;:<>()[\]\\"@]+@[^\s\p{Cc},;:<>()[\]\\"@]+$/u
const badAddress = 553

/**
 * Whether the URL would send a password to another machine, where an attacker in between could remove the
 * offer of TLS.
 */
const isPasswordAbroad = (url: string): boolean => {
  const { username, hostname } = new URL(url)
  return username !== '' && !/^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname)
}

const openTransport = (url: string) =>
  nodemailer.createTransport({ url, requireTLS: isPasswordAbroad(url), ...patienceMs })

/** Whether the mail server answers and accepts the sign-in. Nothing is sent. */
export const verifySmtp = async ({ url }: SmtpConfig): Promise<boolean> => {
  const transport = openTransport(url)
  try {
    return await transport.verify()
  } catch {
    return false
  } finally {
    transport.close()
  }
}

/**
 * Creates a mailer on an SMTP server: `smtps://` uses TLS from the start, `smtp://` as soon as the server
 * offers it. A password leaves this machine only over TLS, unless the URL contains `?requireTLS=false`.
 */
export const createSmtpMailer = ({ url, from }: SmtpConfig): Mailer => {
  const transport = openTransport(url)
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
        throw new Error(`the mail server did not accept an e-mail: ${describe(error)}`)
      }
    },
  }
}
