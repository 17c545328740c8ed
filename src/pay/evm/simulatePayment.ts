import { type Client, erc20Abi, type Hex } from 'viem'
import {
  call,
  estimateFeesPerGas,
  estimateGas,
  getBalance,
  getBlockNumber,
  getCode,
  getGasPrice,
  readContract,
} from 'viem/actions'
import type { Config } from 'wagmi'
import { causes, readProperty } from '../../chain/evm/causes.js'
import { readRevert } from '../../chain/evm/revert.js'
import { classifyWalletError, isRevert } from '../../chain/evm/walletError.js'
import type { CheckedPayment } from '../../chain/index.js'
import type { KassaError } from '../../errors/index.js'
import { payError } from '../../errors/payError.js'
import { getNode } from './node.js'

/** A node's result of simulating a payment. */
export type Simulation = {
  /** The payment's gas with a margin; undefined for a contract wallet, which estimates it better. */
  gas: bigint | undefined
  isContractWallet: boolean
  /** The newest block. A lost payment is searched from here, because it must be in a later block. */
  blockNumber: bigint
}

/** Whether an account is a contract. One that delegates to a contract (EIP-7702) still signs and sends as itself. */
export const isContract = (code: Hex | undefined): boolean =>
  code !== undefined && code !== '0x' && !code.toLowerCase().startsWith('0xef0100')

/** Returns the most that a unit of gas may cost. Chains without a base fee have one price for all. */
const readGasPrice = async (client: Client): Promise<bigint> => {
  try {
    const { maxFeePerGas } = await estimateFeesPerGas(client)
    return maxFeePerGas
  } catch (error) {
    const hasBaseFee = !causes(error).some(
      (cause) => readProperty(cause, 'name') === 'Eip1559FeesNotSupportedError',
    )
    if (hasBaseFee) throw error
    return getGasPrice(client)
  }
}

/**
 * Checks that the payer holds what is paid.
 *
 * @returns The payer's balance of the native currency. @units wei
 * @throws {@link KassaError} `pay.insufficient-funds`.
 */
export const checkFunds = async (
  config: Config,
  { chainId, token, currency, units, payerAddress }: CheckedPayment,
): Promise<bigint> => {
  const client = getNode(config, chainId)
  const [balanceWei, tokenUnits] = await Promise.all([
    getBalance(client, { address: payerAddress }),
    token &&
      readContract(client, {
        address: token.address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [payerAddress],
      }),
  ])
  if ((tokenUnits ?? balanceWei) < units) throw payError('pay.insufficient-funds', { currency })
  return balanceWei
}

const simulate = async (config: Config, payment: CheckedPayment): Promise<Simulation> => {
  const { chainId, payerAddress: account, to, data, valueWei } = payment
  const client = getNode(config, chainId)
  const balanceWei = await checkFunds(config, payment)
  const transaction = { account, to, data, value: valueWei }
  const [code, blockNumber, gasPriceWei, gas] = await Promise.all([
    getCode(client, { address: account }),
    getBlockNumber(client, { cacheTime: 0 }),
    readGasPrice(client),
    // The call comes first, because its error carries the contract's revert reason.
    call(client, transaction).then(() => estimateGas(client, transaction)),
  ])
  const isContractWallet = isContract(code)
  // Another party may pay a contract wallet's fee.
  if (!isContractWallet && balanceWei < valueWei + gas * gasPriceWei) {
    throw payError('pay.insufficient-funds-for-gas', {})
  }
  return { gas: isContractWallet ? undefined : (gas * 5n) / 4n, isContractWallet, blockNumber }
}

/** Converts what a simulation of a payment ended with to the library's error. */
export const toSimulationError = (cause: unknown, chain: string): KassaError => {
  if (isRevert(cause)) return payError('pay.would-revert', { reason: readRevert(cause) }, { cause })
  const error = classifyWalletError(cause, chain)
  // A node's internal error says nothing about the payment.
  return error.code === 'pay.wallet-failed' ? payError('pay.chain-unavailable', { chain }, { cause }) : error
}

/**
 * Simulates a payment on the chain: the payer can afford it and its fee, and it does not revert.
 *
 * @throws {@link KassaError} `pay.insufficient-funds`, `pay.insufficient-funds-for-gas`, `pay.would-revert`,
 * `pay.chain-unavailable`.
 */
export const simulatePayment = async (config: Config, payment: CheckedPayment): Promise<Simulation> => {
  try {
    return await simulate(config, payment)
  } catch (cause) {
    throw toSimulationError(cause, payment.chain)
  }
}
