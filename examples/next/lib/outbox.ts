import { randomUUID } from 'node:crypto'
import type { SandboxMail } from './mailbox'

const most = 50

declare global {
  /** Next may load a module more than once; every copy writes to this list. */
  var shopOutbox: SandboxMail[] | undefined
}

/**
 * Returns the e-mails this shop has written since it started, newest first. Only a sandbox keeps and shows
 * them.
 */
export const listOutbox = (): readonly SandboxMail[] => globalThis.shopOutbox ?? []

/** Adds an e-mail to the sandbox's mailbox. */
export const keepMail = (mail: Omit<SandboxMail, 'id' | 'sentAt'>): void => {
  globalThis.shopOutbox = [{ ...mail, id: randomUUID(), sentAt: new Date() }, ...listOutbox()].slice(0, most)
}
