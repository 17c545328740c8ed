import { erc20Abi } from 'viem'
import { call, estimateFeesPerGas, getBalance, readContract } from 'viem/actions'
import type { Config } from 'wagmi'
import { KassaError } from '../api/index.js'
import {
  checkAmount,
  classifyWalletError,
  isNativeCurrency,
  isRevert,
  type PaymentTransaction,
} from '../chain/index.js'
import type { Amount } from '../schema/index.js'
import { getNode } from './node.js'
import type { Wallet } from './wallet.js'

const nativeDecimals = 18
// More than a transfer or a router payment takes; only used when the transaction names no gas of its own.
const assumedGas = 150_000n

/**
 * Tries a payment on the chain without sending it: the amount is the quoted one, the payer can afford it and
 * its fee, and it would not revert.
 *
 * @throws {@link KassaError} `pay.amount-mismatch`, `pay.preparation-invalid`, `pay.insufficient-funds`,
 * `pay.insufficient-funds-for-gas`, `pay.not-payable`, `pay.chain-unavailable`.
 */
export const simulatePayment = async (
  config: Config,
  { account }: Wallet,
  transaction: PaymentTransaction,
  total: Amount,
): Promise<void> => {
  const { chain, to, data, valueWei } = transaction
  const client = getNode(config, transaction.chainId)
  const token = isNativeCurrency(chain, total.currency) ? undefined : { address: to, abi: erc20Abi }
  try {
    const decimals = token
      ? await readContract(client, { ...token, functionName: 'decimals' })
      : nativeDecimals
    const units = checkAmount(transaction, total, decimals)
    const [balanceWei, fees, tokenUnits] = await Promise.all([
      getBalance(client, { address: account }),
      estimateFeesPerGas(client),
      token && readContract(client, { ...token, functionName: 'balanceOf', args: [account] }),
    ])
    if ((tokenUnits ?? balanceWei) < units) {
      throw new KassaError('pay.insufficient-funds', { currency: total.currency })
    }
    if (balanceWei < valueWei + (transaction.gas ?? assumedGas) * fees.maxFeePerGas) {
      throw new KassaError('pay.insufficient-funds-for-gas', {})
    }
    await call(client, { account, to, data, value: valueWei })
  } catch (cause) {
    if (isRevert(cause)) {
      throw new KassaError(
        'pay.not-payable',
        { reason: 'the network would turn the payment down' },
        { cause },
      )
    }
    const error = classifyWalletError(cause, chain)
    // A node that answers with an error of its own has said nothing about the payment.
    throw error.code === 'pay.wallet-failed'
      ? new KassaError('pay.chain-unavailable', { chain }, { cause })
      : error
  }
}
