import { type CreateCollectionBody, isEvmChainName } from 'kassa/schema'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { notEnabled } from '../lib/notEnabled.js'
import type { NewCollection } from './insertCollection.js'
import { readPayments } from './readPayments.js'

const findFaults = ({ chain, fungibility, transferable, subscription }: CreateCollectionBody): string[] => {
  const isEvm = isEvmChainName(chain)
  const isMany = fungibility === 'semi-fungible'
  const faults: string[] = []
  if (isMany && !isEvm && chain !== 'solana') {
    faults.push('fungibility: semi-fungible is for EVM chains and Solana')
  }
  if (transferable !== undefined && !isEvm && chain !== 'aptos') {
    faults.push('transferable: can be given on EVM chains and Aptos only')
  }
  if (subscription?.enabled) {
    if (!isEvm) faults.push('subscription.enabled: subscriptions are for EVM chains')
    if (isMany) faults.push('subscription.enabled: a semi-fungible collection has no subscriptions')
    if (transferable) faults.push('transferable: must be false for a subscription')
  }
  return faults
}

/**
 * Reads what a merchant says of a new collection, but for the files that it links to.
 *
 * @throws {@link ServiceError} `input-invalid`, naming every field that is wrong.
 * @source interface.md "Collection"
 */
export const readNewCollection = (
  deps: Pick<Deps, 'chains' | 'config'>,
  body: CreateCollectionBody,
): Omit<NewCollection, 'projectId' | 'id'> => {
  const { chain, metadata, fungibility, transferable, supplyLimit, subscription } = body
  const faults = findFaults(body)
  const port = deps.chains.get(chain)
  if (!port) faults.unshift(`chain: ${notEnabled(deps, chain)}`)
  const payments = port && body.payments && readPayments(deps, port, body.payments, faults)
  if (faults.length) throw new ServiceError('input-invalid', faults.join('; '))
  const isSubscription = subscription?.enabled ?? false
  return {
    chain,
    ...metadata,
    fungibility,
    isTransferable: transferable ?? !isSubscription,
    isSubscription,
    supplyLimit,
    payments,
  }
}
