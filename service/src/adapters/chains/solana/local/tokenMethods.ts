import { type Method, readAccountMethod, withContext } from './method.js'
import { commitmentOf, readAddress, readConfig } from './readParams.js'
import { invalidParams } from './rpcError.js'
import { showAccount } from './showAccount.js'
import {
  readDecimals,
  readSupply,
  readTokenAccount,
  showTokenAmount,
  tokenPrograms,
} from './tokenAccounts.js'

const getTokenAccountsByOwner: Method = (world, [owner, filter, given]) => {
  const config = readConfig(given)
  const wanted = Object(filter) as { mint?: unknown; programId?: unknown }
  const mint = wanted.mint === undefined ? undefined : readAddress(wanted.mint)
  const programs = wanted.programId === undefined ? tokenPrograms : [readAddress(wanted.programId)]
  const holder = readAddress(owner)
  const value = programs
    .flatMap((program) => world.cluster.listAccounts(readAddress(program), commitmentOf(config)))
    .filter((account) => {
      const tokens = readTokenAccount(account)
      return tokens?.owner === holder && (mint === undefined || tokens.mint === mint)
    })
    .map((account) => ({ pubkey: account.address, account: showAccount(world.cluster, account, config) }))
  return withContext(world, commitmentOf(config), value)
}

/** The methods that show token accounts and mints. */
export const tokenMethods: Readonly<Record<string, Method>> = {
  getTokenAccountsByOwner,
  getTokenAccountBalance: readAccountMethod(({ cluster }, address, config) => {
    const commitment = commitmentOf(config)
    const tokens = readTokenAccount(cluster.readAccount(address, commitment))
    if (!tokens) throw invalidParams('not a Token account')
    return showTokenAmount(tokens.amount, readDecimals(cluster.readAccount(tokens.mint, commitment)))
  }),
  getTokenSupply: readAccountMethod(({ cluster }, address, config) => {
    const mint = cluster.readAccount(address, commitmentOf(config))
    const supply = readSupply(mint)
    if (supply === undefined) throw invalidParams('not a Token mint')
    return showTokenAmount(supply, readDecimals(mint))
  }),
  getTokenLargestAccounts: readAccountMethod(({ cluster }, mint, config) => {
    const commitment = commitmentOf(config)
    const account = cluster.readAccount(mint, commitment)
    if (!account.exists || readSupply(account) === undefined) throw invalidParams('not a Token mint')
    return cluster
      .listAccounts(account.programAddress, commitment)
      .flatMap((each) => {
        const tokens = readTokenAccount(each)
        return tokens?.mint === mint ? [{ address: each.address, amount: tokens.amount }] : []
      })
      .sort((one, other) => Number(other.amount - one.amount))
      .slice(0, 20)
      .map(({ address, amount }) => ({ address, ...showTokenAmount(amount, readDecimals(account)) }))
  }),
}
