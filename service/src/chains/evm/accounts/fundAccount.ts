import { encodeFunctionData, erc20Abi, getAddress } from 'viem'
import { ServiceError } from '../../../errors.js'
import type { OperationResult, WalletPort } from '../../walletPort.js'
import { TestToken } from '../artifacts/TestToken.js'
import type { Connection } from '../connection/connect.js'
import type { OutboxCall } from '../outbox/outbox.js'
import type { WalletParts } from './walletParts.js'

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
export const fundAccount = async (
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
