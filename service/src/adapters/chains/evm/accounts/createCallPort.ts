import { describeRevert, encodeCalls, readTransfer } from 'kassa/engine'
import { toHex as bytesToHex, encodeFunctionData, getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { checkInput } from '#base/errors.js'
import type { CallPort, EncodedCall } from '#base/ports/calls.js'
import { Collection721 } from '../artifacts/Collection721.js'
import { Collection1155 } from '../artifacts/Collection1155.js'
import type { ChainParts } from '../chainParts.js'
import { readDataFee } from '../connection/dataFee.js'
import { offerFees, readRecentTerms } from '../connection/fees.js'
import { decodeRevert, readCallData, readRevertData } from '../connection/readRevert.js'
import type { EvmChainOptions } from '../evmChainOptions.js'
import { costOf, explainLength, explainMisfit, gasFor, maxSponsoredGas } from '../outbox/signCall.js'
import { toHex } from '../outbox/signed.js'
import { explainGas, explainLack } from './accountFunds.js'
import type { AccountOnChain } from './openGasTopUps.js'
import { sendCall } from './sendCall.js'
import { readWithUnspent } from './sponsoredGas.js'

type Tried = Awaited<ReturnType<CallPort['try']>>

const refuse = (reason: string): Tried => ({ status: 'reverted', ...describeRevert('contract_call', reason) })

/**
 * Simulates a call as an account would make it. While other calls of the account are pending, missing coins
 * do not fail it, because those calls may bring or free them.
 *
 * @param input.isSponsored - Whether the operator tops up the account's gas.
 */
const tryCall = async (
  from: AccountOnChain,
  { chainId, maxFeePerGas }: EvmChainOptions,
  { call: asked, isSponsored }: { call: EncodedCall; isSponsored: boolean },
): Promise<Tried> => {
  const { to, value, data, errors } = asked
  const { client, chain, address: account } = from
  const call = { to: getAddress(to), value, data: toHex(data) }
  const excess = explainLength(call.data)
  if (excess !== undefined) return refuse(excess)
  const readBalance = () => client.getBalance({ address: account })
  const held = value > 0n ? await readWithUnspent(from, readBalance) : undefined
  if (held) {
    const { found: spareWei, unspentWei, isSettled } = held
    const ownWei = isSettled ? spareWei - unspentWei : spareWei
    const lack = explainLack({ spareWei, ownWei }, value)
    if (lack !== undefined) return refuse(lack)
  }
  try {
    const needed = await client.estimateGas({ account, ...call })
    const { gasLimit, asked } = await readRecentTerms(client)
    const misfit = explainMisfit(needed, gasLimit)
    if (misfit !== undefined) return refuse(misfit)
    const gas = gasFor(needed, gasLimit)
    const priced = { ...call, gas, fees: offerFees(chain, asked, maxFeePerGas) }
    // The operator pays for it, whatever the account has.
    if (isSponsored && gas <= maxSponsoredGas) return { status: 'ready' }
    const neededWei = costOf(priced) + (await readDataFee(client, chainId, priced))
    const spareWei = held?.found ?? (await readBalance())
    if (spareWei >= neededWei) return { status: 'ready' }
    const { isSettled } = held ?? (await readWithUnspent(from, async () => spareWei))
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

const encodeBurn: CallPort['encodeBurn'] = ({ contract, standard, tokenId, holder }) => {
  const args = [getAddress(holder), tokenId, 1n] as const
  const data =
    standard === 'erc-1155'
      ? encodeFunctionData({ ...Collection1155, functionName: 'burn', args })
      : encodeFunctionData({ ...Collection721, functionName: 'burn', args: [tokenId] })
  return { to: contract, value: 0n, data }
}

/** Creates the call port of an EVM chain: calls, and the accounts that the service signs for. */
export const createCallPort = (parts: ChainParts): CallPort => {
  const { options, use, read } = parts
  const { db, chain, chainId } = options
  return {
    encode: (calls, field) => checkInput(() => encodeCalls(calls, field, chainId)),
    encodeBurn,
    readTransfer,
    try: (from, call, { isSponsored }) =>
      read((client) => {
        const account = { db, client, chain, address: getAddress(from) }
        return tryCall(account, options, { call, isSponsored })
      }),
    send: async (key, { privateKey, call, isSponsored }, terms) => {
      // Read at once, because the caller may erase the bytes of its key before the node answers.
      const account = privateKeyToAccount(bytesToHex(privateKey))
      const input = { key, account, call, isSponsored }
      return use((opened) => sendCall(opened, parts, { ...input, ...terms }))
    },
  }
}
