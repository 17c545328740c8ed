import { ServiceError } from '#base/errors.js'
import type { ArrivedInput } from '#base/ports/chain.js'
import { toReference } from '../connection/addresses.js'
import type { PaymentContracts } from './orderPayments.js'
import { askAll, askHoldings, type ChainReads, findPayOuts } from './readStatement.js'

/** Reads how much of a token has ever arrived at the deposit address of each order: what it holds and has paid out. */
export const readArrived = async (
  { client, db, chain }: ChainReads,
  contracts: PaymentContracts,
  { since, orders }: ArrivedInput,
): Promise<bigint[]> => {
  const blockNumber = await client.getBlockNumber({ cacheTime: 0 })
  if (blockNumber < since) {
    const message = `${chain} shows block ${blockNumber} as its head, and has shown ${since} before`
    throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })
  }
  const payOuts = await findPayOuts({ db, chain }, contracts, orders)
  const groups = orders.map(({ orderId, currency, payOutKeys }) => [
    ...askHoldings(contracts, orderId).filter(({ holding }) => holding.currency === currency),
    ...[...payOutKeys, toReference(orderId)]
      .flatMap((key) => payOuts.get(key) ?? [])
      .filter((question) => 'payOut' in question && question.payOut.currency === currency),
  ])
  const answers = await askAll(client, groups, blockNumber)
  let at = 0
  return groups.map((group) =>
    group.reduce((sum, question) => {
      const units = answers[at++] ?? 0n
      return sum + ('payOut' in question && units ? question.payOut.units : units)
    }, 0n),
  )
}
