import { cache } from 'react'
import { getOrigin, readEnvironment } from './environment'
import { listOutbox } from './outbox'
import { isRecord, readText } from './read'

/** An e-mail of the sandbox. */
export type SandboxMail = {
  id: string
  to: string
  sender: string
  subject: string
  text: string
  html: string
  /** The language of its text, such as `de-DE`. */
  locale: string
  /** Undefined until it is sent. */
  sentAt: Date | undefined
}

const readMail = (value: unknown): SandboxMail[] => {
  if (!isRecord(value)) return []
  const [id, to, subject] = [readText(value.id), readText(value.to), readText(value.subject)]
  if (!id || !to || !subject) return []
  const sentAt = readText(value.sentAt)
  return [
    {
      id,
      to,
      subject,
      sender: readText(value.sender) ?? '',
      text: readText(value.text) ?? '',
      html: readText(value.html) ?? '',
      locale: readText(value.locale) ?? 'en-US',
      sentAt: sentAt ? new Date(sentAt) : undefined,
    },
  ]
}

const byAge = (one: SandboxMail, other: SandboxMail): number =>
  (other.sentAt?.getTime() ?? Number.POSITIVE_INFINITY) -
    (one.sentAt?.getTime() ?? Number.POSITIVE_INFINITY) || 0

/**
 * Gets the sandbox's e-mails and adds those this shop wrote.
 *
 * @returns The newest first; undefined when the service does not answer or is not a sandbox.
 */
export const getMails = cache(async (): Promise<SandboxMail[] | undefined> => {
  const { baseUrl } = readEnvironment(process.env)
  try {
    const response = await fetch(`${getOrigin(baseUrl)}/sandbox/mails`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(5_000),
    })
    const body: unknown = response.ok ? await response.json() : undefined
    if (!isRecord(body) || !Array.isArray(body.mails)) return undefined
    return [...body.mails.flatMap(readMail), ...listOutbox()].sort(byAge)
  } catch {
    return undefined
  }
})
