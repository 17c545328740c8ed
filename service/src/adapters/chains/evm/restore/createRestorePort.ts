import type { RestorePort } from '#base/ports/restore.js'
import { firstKey } from '#base/ports/write.js'
import type { ChainParts } from '../chainParts.js'
import { toReference } from '../connection/addresses.js'
import { findUnknownWrites } from './findUnknownWrites.js'
import { raiseNonce } from './operatorNonce.js'

/** Creates the restore port of an EVM chain, which knows orders and payouts by the references of its contracts. */
export const createRestorePort = (parts: ChainParts): RestorePort => ({
  referencesOf: (key) => [toReference(firstKey(key))],
  orderReferenceOf: toReference,
  find: () => parts.peek((client) => findUnknownWrites(parts, client)),
  accept: (tx, { mark }) => {
    const { chain } = parts.options
    return raiseNonce(tx, { chain, operator: parts.account.address }, Number(mark))
  },
})
