import type { RevertType, TransactionError } from 'kassa/schema'
import { isHex } from 'viem'
import { decodeRevert, describeRevert } from './decodeRevert.js'

/** Which operation of a bundle the EntryPoint would not have, and why. */
export type FailedOperation = {
  index: number
  error: TransactionError
  /** Whether the fault is the bundle's, so that the same operations may do well in the next one. */
  isPassing: boolean
  /** Whether its nonce is not the next one, as the node sees it that said so. */
  isOutOfTurn: boolean
}

const failedOp = /^FailedOp(?:WithRevert)?\((\d+), ((AA\d)\d [^,)]*)(?:, (0x[0-9a-f]*))?/

const types: Readonly<Record<string, RevertType>> = {
  AA1: 'wallet_deployment',
  AA2: 'wallet_authorization',
  AA3: 'wallet_authorization',
}

/** Reads why a bundle failed, from the reason that was kept of it. */
export const readFailedOperation = (reason: string): FailedOperation => {
  const [, index, said, family = '', data] = failedOp.exec(reason) ?? []
  const type = types[family]
  if (index === undefined || said === undefined || !type) {
    const message = `The bundle could not be had: ${reason}`
    return {
      index: Number(index ?? 0),
      error: { reason: 'failed_to_land_on_chain', message },
      isPassing: true,
      isOutOfTurn: false,
    }
  }
  const bytes = isHex(data) && data.length % 2 === 0 && data !== '0x' ? data : undefined
  const text = bytes ? `${said}: ${decodeRevert(bytes)}` : said
  return {
    index: Number(index),
    error: { reason: 'execution_reverted', ...describeRevert(type, text, bytes) },
    isPassing: false,
    isOutOfTurn: said.startsWith('AA25'),
  }
}
