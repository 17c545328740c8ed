import { randomUUID } from 'node:crypto'
import type { SandboxMail } from './mailbox'

const most = 50

declare global {
  /** Next may load a module more than once, and they all write into one box. */
  var shopOutbox: SandboxMail[] | undefined
}

/** What this shop itself wrote to people since it started, newest first. Only a sandbox keeps it, to show it. */
export const listOutbox = (): readonly SandboxMail[] => globalThis.shopOutbox ?? []

/** Puts an e-mail where the sandbox's mailbox shows it. */
export const keepMail = (mail: Omit<SandboxMail, 'id' | 'sentAt'>): void => {
  globalThis.shopOutbox = [{ ...mail, id: randomUUID(), sentAt: new Date() }, ...listOutbox()].slice(0, most)
}
