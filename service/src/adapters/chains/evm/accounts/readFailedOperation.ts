import { toRevertError } from 'kassa/engine'
import type { RevertType, TransactionError } from 'kassa/schema'
import { isHex } from 'viem'
import { decodeRevert } from '../connection/readRevert.js'
import type { Refusal } from '../outbox/toResult.js'

/** The operation of a bundle that the EntryPoint refused, and the reason. */
export type FailedOperation = {
  index: number
  error: TransactionError
  /** Whether the bundle caused the failure, so that the same operations may succeed in the next one. */
  isPassing: boolean
  /** Whether its nonce is not the next one, according to the node that reported it. */
  isOutOfTurn: boolean
}

const failedOp = /^FailedOp(?:WithRevert)?\((\d+), ((AA\d)\d [^,)]*)(?:, (0x[0-9a-f]*))?/

const types: Readonly<Record<string, RevertType>> = {
  AA1: 'wallet_deployment',
  AA2: 'wallet_authorization',
  AA3: 'wallet_authorization',
}

/** Reads why a bundle failed from its stored reason. */
export const readFailedOperation = ({ reason, txId }: Refusal): FailedOperation => {
  const [, index, said, family = '', data] = failedOp.exec(reason) ?? []
  const type = types[family]
  if (index === undefined || said === undefined || !type) {
    const error: TransactionError =
      txId === undefined
        ? { reason: 'build_failed', message: `The bundle could not be built: ${reason}` }
        : { reason: 'failed_to_land_on_chain', message: `The bundle did not land on the chain: ${reason}` }
    return {
      index: Number(index ?? 0),
      error,
      isPassing: true,
      isOutOfTurn: false,
    }
  }
  const bytes = isHex(data) && data.length % 2 === 0 && data !== '0x' ? data : undefined
  const text = bytes ? `${said}: ${decodeRevert(bytes)}` : said
  return {
    index: Number(index),
    error: toRevertError(type, text, bytes),
    isPassing: false,
    isOutOfTurn: said.startsWith('AA25'),
  }
}
