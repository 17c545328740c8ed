import { getAddress } from 'viem'
import type { EncodedCall, WalletPort } from '../../walletPort.js'
import { readDataFee } from '../connection/dataFee.js'
import { offerFees, readBlockTerms } from '../connection/fees.js'
import { readCallData, readRevertData } from '../connection/readRevert.js'
import type { EvmChainOptions } from '../evmChainOptions.js'
import { costOf, explainLength, explainMisfit, gasFor } from '../outbox/signCall.js'
import { toHex } from '../outbox/signed.js'
import { explainGas, explainLack } from './accountFunds.js'
import { decodeRevert, describeRevert } from './decodeRevert.js'
import { type AccountOnChain, readUnspent } from './sponsoredGas.js'

type Tried = Awaited<ReturnType<WalletPort['tryCall']>>

const refuse = (reason: string): Tried => ({ status: 'reverted', ...describeRevert('contract_call', reason) })

/**
 * Simulates a call as an account would make it. While other calls of the account are pending, missing coins
 * do not fail it, because those calls may bring or free them.
 *
 * @param terms.isSponsored - Whether the operator tops up the account's gas.
 */
export const tryCall = async (
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
