import { formatEther, getAddress, type Hex, isAddressEqual, isHex } from 'viem'
import type { Config } from 'wagmi'
import { getPublicClient } from 'wagmi/actions'
import type { WalletExecution } from '../../engine/evm/execution.js'
import { hashOperation } from '../../engine/evm/hashOperation.js'
import { transactionError } from '../../errors/transactionError.js'
import { evmChains, isEvmChainName } from '../../schema/chains.js'
import type { Transaction, UserOperation } from '../../schema/index.js'
import type { SendParams } from '../transactionStep.js'
import { matchCalls } from './matchCalls.js'
import { type FeeTerms, getMaxFeeWei, readFeeBound } from './operationFee.js'

/** An operation before signing, and what is known about it independently of the party that requests it. */
export type AskedOperation = {
  transaction: Transaction
  /** The bytes to sign. */
  message: string
  /** The wallet's address. */
  address: string
  /** This page's own request; if another page made it, the transaction's own parameters count. */
  asked: SendParams | undefined
  /** The fees the app agrees to. */
  terms?: FeeTerms | undefined
  /** The app's wagmi config, whose nodes return gas prices. */
  config?: Config | undefined
}

const toHex = (text: string): Hex => {
  if (isHex(text)) return text
  throw new TypeError('expected hex digits')
}

/** Returns the hash that the EntryPoint passes to the wallet; undefined for an invalid operation. */
const hash = (operation: UserOperation, chainId: number): Hex | undefined => {
  try {
    return hashOperation({ ...operation, signature: '0x' }, chainId)
  } catch {
    return undefined
  }
}

const isListed = (address: string, agreed: readonly string[] = []): boolean =>
  agreed.some((each) => isAddressEqual(getAddress(each), getAddress(address)))

/** Checks who pays an operation's fee and how much. */
const findFeeMismatch = async (
  { transaction, terms = {}, config }: AskedOperation,
  {
    operation,
    chainId,
    calls,
  }: { operation: UserOperation; chainId: number; calls: readonly WalletExecution[] },
): Promise<string | undefined> => {
  const { sender, callData, factory, paymaster } = operation
  if (factory !== undefined && !isListed(factory, terms.factories))
    return `it calls the factory ${factory}, which was not agreed to`
  if (paymaster !== undefined && !isListed(paymaster, terms.paymasters))
    return `its fee is paid by the paymaster ${paymaster}, which was not agreed to`
  const feeWei = getMaxFeeWei(transaction)
  if (feeWei === 0n) return undefined
  if (feeWei === undefined) return 'its fee cannot be read'
  const node = config && getPublicClient(config, { chainId })
  if (terms.maxFeeWei === undefined && !node)
    return `its fee cannot be checked without a node of chain ${chainId}: add the chain to the wagmi config, or set terms.maxFeeWei`
  try {
    const boundWei =
      terms.maxFeeWei ??
      (node && (await readFeeBound(node, { sender: getAddress(sender), callData: toHex(callData), calls })))
    if (boundWei !== undefined && feeWei <= boundWei) return undefined
    return `its fee may be ${formatEther(feeWei)}, more than the ${formatEther(boundWei ?? 0n)} that is believable now`
  } catch {
    return `its fee cannot be checked: the node of chain ${chainId} gives no estimate for its calls`
  }
}

const findMismatch = async (asking: AskedOperation): Promise<string | undefined> => {
  const { transaction, message, address, asked } = asking
  if (transaction.walletType !== 'evm-smart-wallet') return 'it is of another type of wallet'
  const params = asked ?? transaction.params
  if (!('calls' in params) || params.chain !== transaction.params.chain) return 'it is for another chain'
  if (!isEvmChainName(params.chain)) return `the chain ${params.chain} is not known`
  const { userOperation: operation } = transaction.onChain
  const { chainId } = evmChains[params.chain]
  if (hash(operation, chainId) !== message.toLowerCase()) return 'the message to sign is not its hash'
  if (!isAddressEqual(getAddress(operation.sender), getAddress(address))) return 'it is of another wallet'
  const calls = matchCalls(toHex(operation.callData), params.calls)
  return calls ? findFeeMismatch(asking, { operation, chainId, calls }) : 'it makes other calls'
}

/**
 * Checks that the operation to sign is the requested one, at a plausible fee. It trusts only the app's own
 * request and its own node.
 *
 * @throws {@link KassaError} `transaction.mismatch`
 */
export const checkOperation = async (asking: AskedOperation): Promise<void> => {
  const reason = await findMismatch(asking)
  if (reason === undefined) return
  throw transactionError('transaction.mismatch', { transactionId: asking.transaction.id, reason })
}
