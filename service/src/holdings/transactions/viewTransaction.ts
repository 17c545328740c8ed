import { viewTransaction as view } from 'kassa/engine'
import type { Transaction } from 'kassa/schema'
import { explorerOf } from '#base/config/explorerOf.js'
import type { Deps } from '#base/deps.js'
import { readSentToken } from './readSentToken.js'
import { simulationLink } from './simulationLink.js'
import type { TransactionRow } from './transaction.js'

/** Returns the transaction's explorer link. */
const linkTo = (
  { chains, config }: Pick<Deps, 'chains' | 'config'>,
  { chain, txId }: TransactionRow,
): string | undefined => {
  const isLocal = chains.get(chain)?.isLocal ?? false
  const explorer = explorerOf(config, { chain, isLocal })
  return txId === null || explorer === undefined ? undefined : `${explorer}/tx/${txId}`
}

/** Returns the address that acts: a smart wallet's own, or that of the key of an account. */
const addressOf = ({ operation, signer }: TransactionRow): string =>
  operation?.sender ?? signer.replace(/^evm-kassa-custodial:/, '')

/** Converts a transaction to its form in the interface, with the token that it sends and pages about it. */
export const viewTransaction = (deps: Pick<Deps, 'chains' | 'config'>, row: TransactionRow): Transaction => {
  const chain = deps.chains.get(row.chain)
  return view(row, {
    sendParams: chain && readSentToken(chain, row.calls),
    explorerLink: linkTo(deps, row),
    simulationLink: simulationLink(deps.config, { chain: row.chain, from: addressOf(row), calls: row.calls }),
  })
}
