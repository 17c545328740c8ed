import { and, asc, eq } from 'drizzle-orm'
import { parseTokenOwner } from 'kassa/schema'
import type { ChainPort } from '../chains/port.js'
import { wallets } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { notEnabled } from '../lib/notEnabled.js'
import { userLocator } from '../wallets/userLocator.js'

/** Whose tokens are listed: the addresses that hold them, on a chain. */
export type TokenOwner = { chain: ChainPort; holders: readonly string[] }

const refuse = (what: string) => new ServiceError('input-invalid', `identifier: ${what}`)

const expected =
  'expected <chain>:<address>, or a user and a chain such as email:<email>:<chain> or userId:<userId>:<chain>'

/**
 * Reads the holders whose tokens are requested. A user has all wallets of any type that the project has for them. A user
 * without a wallet holds nothing.
 *
 * @throws {@link ServiceError} `input-invalid` for a malformed locator or a chain that is not enabled.
 */
export const readTokenOwner = async (
  deps: Pick<Deps, 'db' | 'chains'>,
  projectId: string,
  identifier: string,
): Promise<TokenOwner> => {
  const parts = parseTokenOwner(identifier)
  if (!parts) throw refuse(expected)
  const chain = deps.chains.get(parts.chain)
  if (!chain) throw refuse(notEnabled(deps, parts.chain))
  if (parts.kind === 'address') {
    const holder = chain.parseAddress(parts.address)
    if (holder === undefined) throw refuse(`${parts.address} is not an address on ${parts.chain}`)
    return { chain, holders: [holder] }
  }
  const user = userLocator(parts.user.kind, parts.user.value)
  const rows = await deps.db
    .select({ address: wallets.address })
    .from(wallets)
    .where(and(eq(wallets.projectId, projectId), eq(wallets.userLocator, user)))
    .orderBy(asc(wallets.createdAt), asc(wallets.id))
  return { chain, holders: rows.map(({ address }) => chain.parseAddress(address) ?? address) }
}
