import { describeRevert } from 'kassa/engine'
import {
  type Address,
  toHex as bytesToHex,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type PublicClient,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ServiceError } from '../../../errors.js'
import type { ChainCurrency } from '../../../ports/chain.js'
import type { EncodedCall, OperationResult, WalletPort } from '../../../ports/wallet.js'
import { TestToken } from '../artifacts/TestToken.js'
import type { Connection } from '../connection/connect.js'
import { readDataFee } from '../connection/dataFee.js'
import { offerFees, readBlockTerms } from '../connection/fees.js'
import { decodeRevert, readCallData, readRevertData } from '../connection/readRevert.js'
import type { EvmChainOptions } from '../evmChainOptions.js'
import type { OutboxCall } from '../outbox/outbox.js'
import { costOf, explainLength, explainMisfit, gasFor } from '../outbox/signCall.js'
import { toHex } from '../outbox/signed.js'
import { explainGas, explainLack } from './accountFunds.js'
import { sendCall } from './sendCall.js'
import { type AccountOnChain, readUnspent } from './sponsoredGas.js'
import type { WalletParts } from './walletParts.js'

type Tried = Awaited<ReturnType<WalletPort['tryCall']>>

const refuse = (reason: string): Tried => ({ status: 'reverted', ...describeRevert('contract_call', reason) })

/**
 * Simulates a call as an account would make it. While other calls of the account are pending, missing coins
 * do not fail it, because those calls may bring or free them.
 *
 * @param terms.isSponsored - Whether the operator tops up the account's gas.
 */
const tryCall = async (
  from: AccountOnChain,
  { chainId, maxFeePerGas }: EvmChainOptions,
  { to, value, data, errors }: EncodedCall,
  { isSponsored }: { isSponsored: boolean },
): Promise<Tried> => {
  const { client, chain, address: account } = from
  const call = { to: getAddress(to), value, data: toHex(data) }
  const excess = explainLength(call.data)
  if (excess !== undefined) return refuse(excess)
  const spareWei = await client.getBalance({ address: account })
  const { unspentWei, isSettled } = await readUnspent(from)
  const ownWei = isSettled ? spareWei - unspentWei : spareWei
  const lack = explainLack({ spareWei, ownWei }, value)
  if (lack !== undefined) return refuse(lack)
  try {
    await client.call({ account, ...call })
    const needed = await client.estimateGas({ account, ...call })
    const { gasLimit, asked } = await readBlockTerms(client)
    const misfit = explainMisfit(needed, gasLimit)
    if (misfit !== undefined) return refuse(misfit)
    const gas = gasFor(needed, gasLimit)
    const priced = { ...call, gas, fees: offerFees(chain, asked, maxFeePerGas) }
    const neededWei = costOf(priced) + (await readDataFee(client, chainId, priced))
    const gasLack = isSettled ? explainGas({ spareWei, neededWei, value, gas, isSponsored }) : undefined
    return gasLack === undefined
      ? { status: 'ready' }
      : { status: 'reverted', ...describeRevert('wallet_authorization', gasLack) }
  } catch (error) {
    const revert = readRevertData(error)
    if (!revert) throw error
    // Some nodes omit the contract's answer from an estimate.
    const answer = revert.data ?? (await readCallData(client, { account, ...call }))
    return { status: 'reverted', ...describeRevert('contract_call', decodeRevert(answer, errors), answer) }
  }
}

type Input = Parameters<WalletPort['fund']>[1]

const makeCall = (
  { options, currencies }: WalletParts,
  { currency, units, recipient }: Input,
): OutboxCall => {
  const known = currencies.find((each) => each.currency === currency)
  if (!known) throw new ServiceError('input-invalid', `${options.chain} has no currency ${currency}`)
  const to = getAddress(recipient)
  if (known.address === undefined) return { to, data: '0x', value: units }
  const args = [to, units] as const
  // The service's own test tokens are minted without a limit.
  const data =
    options.tokens === 'test-tokens'
      ? encodeFunctionData({ ...TestToken, functionName: 'mint', args })
      : encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  return { to: getAddress(known.address), data }
}

/**
 * Gives an address test tokens: newly minted ones if they are the service's own, otherwise from the
 * operator's balance.
 */
const fundAccount = async (
  { outbox }: Connection,
  parts: WalletParts,
  key: string,
  input: Input,
): Promise<OperationResult> => {
  const call = makeCall(parts, input)
  const sent = await outbox.send(key, async () => call, { isGuarded: false })
  const result = sent.status === 'failed' && !sent.txId ? await outbox.keepRefusal(key, sent) : sent
  if (result.status === 'succeeded') return { status: 'success', txId: result.txId }
  const message = `The wallet could not be funded: ${result.reason}`
  const revert = { type: 'contract_call', reason: result.reason }
  return {
    status: 'failed',
    error: { reason: 'execution_reverted', message, revert },
    ...(result.txId !== undefined && { txId: result.txId }),
  }
}

const readBalance = (client: PublicClient, holder: Address, { address }: ChainCurrency): Promise<bigint> =>
  address === undefined
    ? client.getBalance({ address: holder })
    : client.readContract({
        address: getAddress(address),
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [holder],
      })

/**
 * Creates the account operations of an EVM chain: sending from accounts that the service signs for, and
 * reading the balances of any account.
 */
export const createAccounts = (
  parts: WalletParts,
): Pick<WalletPort, 'tryCall' | 'sendCall' | 'currencies' | 'getBalances' | 'fund'> => {
  const { use, read } = parts
  const { db, chain, publishedTokens = [] } = parts.options
  const known = parts.currencies.map(({ currency }) => currency)
  const currencies = [
    ...parts.currencies,
    ...publishedTokens.filter(({ currency }) => !known.includes(currency)),
  ]
  return {
    currencies,
    tryCall: (from, call, terms) =>
      read((client) => tryCall({ db, client, chain, address: getAddress(from) }, parts.options, call, terms)),
    sendCall: async (key, { privateKey, call, isSponsored }, terms) => {
      // Read at once, because the caller may erase the bytes of its key before the node answers.
      const account = privateKeyToAccount(bytesToHex(privateKey))
      const input = { key, account, call, isSponsored }
      return use((opened) => sendCall(opened, parts, { ...input, ...terms }))
    },
    getBalances: async (address, names) => {
      const asked = currencies.filter(({ currency }) => names.includes(currency))
      const holder = getAddress(address)
      const held = await read((client) =>
        Promise.all(asked.map((currency) => readBalance(client, holder, currency))),
      )
      return Object.fromEntries(asked.map(({ currency }, at) => [currency, held[at] ?? 0n]))
    },
    fund: (key, input) => use((opened) => fundAccount(opened, parts, key, input)),
  }
}
