import { type Address, getAddress, type Hex, isAddressEqual, isHex } from 'viem'
import { entryPoint08Address, getUserOperationHash } from 'viem/account-abstraction'
import { transactionError } from '../errors/transactionError.js'
import { evmChains, isEvmChainName } from '../schema/chains.js'
import type { Transaction, UserOperation } from '../schema/index.js'
import { matchCalls } from './matchCalls.js'
import type { SendParams } from './transactionStep.js'

/** What a signer is about to sign, and what is known of it without whoever asks for it. */
export type AskedOperation = {
  transaction: Transaction
  /** The bytes to sign. */
  message: string
  /** Of the wallet. */
  address: string
  /** What this page asked for; where another did, the transaction's own parameters stand. */
  asked: SendParams | undefined
}

const toHex = (text: string): Hex => {
  if (isHex(text)) return text
  throw new TypeError('expected hex digits')
}

const getPaymaster = (operation: UserOperation) => {
  const { paymaster, paymasterData, paymasterVerificationGasLimit, paymasterPostOpGasLimit } = operation
  if (paymaster === undefined) return {}
  return {
    paymaster: getAddress(paymaster),
    paymasterData: toHex(paymasterData ?? '0x'),
    paymasterVerificationGasLimit: BigInt(paymasterVerificationGasLimit ?? 0),
    paymasterPostOpGasLimit: BigInt(paymasterPostOpGasLimit ?? 0),
  }
}

const getFactory = ({ factory, factoryData }: UserOperation): { factory?: Address; factoryData?: Hex } =>
  factory === undefined ? {} : { factory: getAddress(factory), factoryData: toHex(factoryData ?? '0x') }

/** The hash that the EntryPoint will ask the wallet about; undefined for what is no operation. */
const hash = (operation: UserOperation, chainId: number): Hex | undefined => {
  try {
    return getUserOperationHash({
      chainId,
      entryPointAddress: entryPoint08Address,
      entryPointVersion: '0.8',
      userOperation: {
        sender: getAddress(operation.sender),
        nonce: BigInt(operation.nonce),
        callData: toHex(operation.callData),
        callGasLimit: BigInt(operation.callGasLimit),
        verificationGasLimit: BigInt(operation.verificationGasLimit),
        preVerificationGas: BigInt(operation.preVerificationGas),
        maxFeePerGas: BigInt(operation.maxFeePerGas),
        maxPriorityFeePerGas: BigInt(operation.maxPriorityFeePerGas),
        signature: '0x',
        ...getFactory(operation),
        ...getPaymaster(operation),
      },
    })
  } catch {
    return undefined
  }
}

const findMismatch = ({ transaction, message, address, asked }: AskedOperation): string | undefined => {
  if (transaction.walletType !== 'evm-smart-wallet') return 'it is of another type of wallet'
  const params = asked ?? transaction.params
  if (!('calls' in params) || params.chain !== transaction.params.chain) return 'it is for another chain'
  if (!isEvmChainName(params.chain)) return `the chain ${params.chain} is not known`
  const { userOperation } = transaction.onChain
  const { sender, callData } = userOperation
  if (hash(userOperation, evmChains[params.chain].chainId) !== message.toLowerCase())
    return 'what is to sign is not its hash'
  if (!isAddressEqual(getAddress(sender), getAddress(address))) return 'it is of another wallet'
  return matchCalls(toHex(callData), params.calls) ? undefined : 'it makes other calls'
}

/**
 * Checks that what a signer is about to sign is what was asked for: nobody else's word is taken for that.
 *
 * @throws {@link KassaError} `transaction.mismatch`
 */
export const checkOperation = (operation: AskedOperation): void => {
  const reason = findMismatch(operation)
  if (reason === undefined) return
  throw transactionError('transaction.mismatch', { transactionId: operation.transaction.id, reason })
}
