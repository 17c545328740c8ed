import { lookup as lookUp } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { Agent } from 'undici'
import { refusePrivate } from './checkUrl.js'

/** How names are resolved, and which of their addresses are allowed. */
export type Guard = {
  lookup: (host: string) => Promise<readonly { address: string; family: number }[]>
  isPublic: (address: string) => boolean
}

/** Resolves a name with the system's resolver. */
export const lookUpAll: Guard['lookup'] = (host) => lookUp(host, { all: true })

const guardLookup =
  ({ lookup, isPublic }: Guard): LookupFunction =>
  (host, { all }, done) => {
    lookup(host).then(
      (addresses) => {
        const open = addresses.filter(({ address }) => isPublic(address))
        const [first] = open
        if (!first) done(refusePrivate(), '')
        else if (all) done(null, open)
        else done(null, first.address, first.family)
      },
      (error) => done(error, ''),
    )
  }

/**
 * Creates an agent that connects to public addresses only. It connects to the same addresses that it checked,
 * so that a name that resolves differently a moment later gains an attacker nothing.
 */
export const createGuardedAgent = (guard: Guard, timeoutMs: number): Agent =>
  new Agent({ connect: { lookup: guardLookup(guard), timeout: timeoutMs } })
