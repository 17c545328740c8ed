import { encodeErrorResult, type Hex, parseAbi } from 'viem'
import type { EncodedCall } from '../../../engine/evm/encodeCalls.js'
import { explainAccountLack, explainWalletLack, toRevertError } from '../../../engine/evm/revert.js'
import { reverted } from '../../../engine/wallet/reverted.js'
import type { EvmUserWallet, TestWorld } from '../testWorld.js'
import { describeRevert, isSilent, type RevertError, readRevert } from './describeRevert.js'

const abi = parseAbi(['error Error(string)'])

/** What a contract reverts with for a reason in words, or for none. */
export const toRevertData = (reason: string | undefined): Hex =>
  reason === undefined ? '0x' : encodeErrorResult({ abi, errorName: 'Error', args: [reason] })

/** What a wallet is to do on a chain. */
type Trial = { wallet: EvmUserWallet; chainId: number; calls: readonly EncodedCall[] }

const findFault = (
  { chains, faults }: TestWorld,
  { wallet, chainId, calls }: Trial,
): RevertError | undefined => {
  const { type, address } = wallet
  if (faults.refused.length) return describeRevert(toRevertData(faults.refused.shift()), { wallet, calls })
  const held = chains.bank.get({ chainId, owner: address }, 18)
  const sent = calls.reduce((sum, { value }) => sum + value, 0n)
  if (type === 'evm-mpc-wallet' && held < sent)
    return toRevertError('contract_call', explainAccountLack({ heldWei: held, sentWei: sent }))
  const own = calls.map((call) => ({ ...call, from: address }))
  try {
    chains.tryAll(chainId, own)
    return undefined
  } catch (error) {
    const told = readRevert(error, { wallet, calls })
    if (!told) throw error
    if (!isSilent(told) || held >= sent) return told
    const { reasonData } = told.revert
    return toRevertError('contract_call', explainWalletLack({ heldWei: held, sentWei: sent }), reasonData)
  }
}

/**
 * Tries out what a wallet is to do, as things are now.
 *
 * @throws {@link Refusal} with what it reverts with.
 */
export const tryTransaction = (world: TestWorld, trial: Trial): void => {
  world.chains.mine()
  const fault = findFault(world, trial)
  if (fault) throw reverted(fault)
}
