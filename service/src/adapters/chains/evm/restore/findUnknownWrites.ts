import type { PublicClient } from 'viem'
import type { FoundWrites } from '#base/ports/restore.js'
import type { Operator } from '../operator.js'
import { findOperatorWrites } from './findWrites.js'

/** Reads what the operator has written that the database does not know. */
export const findUnknownWrites = async (
  { options, account, deployments, contracts, addressOf }: Operator,
  client: PublicClient,
): Promise<FoundWrites> => {
  const { chain, db } = options
  const collections = (await options.listCollections?.()) ?? []
  return findOperatorWrites(
    { client, db },
    {
      ...contracts,
      chain,
      operator: account.address,
      collections: collections.map(addressOf),
      collectionFactory: deployments.collectionFactory.address,
    },
  )
}
