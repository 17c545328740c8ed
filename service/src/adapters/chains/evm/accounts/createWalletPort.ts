import {
  type Address,
  toHex as bytesToHex,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type PublicClient,
  zeroAddress,
} from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { ChainCurrency } from '#base/ports/currency.js'
import type { TokenOfHolder, WalletPort } from '#base/ports/wallet.js'
import type { WalletResult } from '#base/ports/write.js'
import { TestToken } from '../artifacts/TestToken.js'
import type { ChainParts } from '../chainParts.js'
import type { Connection } from '../connection/connect.js'
import type { OutboxCall } from '../outbox/outboxCall.js'
import { createCallPort } from './createCallPort.js'
import { createOperationPort } from './createOperationPort.js'
import { findTransfers, findTransfersOf } from './findTransfers.js'
import { readTokenStates, type TokenState } from './readTokenStates.js'

type Input = Parameters<WalletPort['fund']>[1]

const makeCall = ({ options, tokenOf }: ChainParts, { currency, units, recipient }: Input): OutboxCall => {
  const token = tokenOf(currency)
  const to = getAddress(recipient)
  if (!token) return { to, data: '0x', value: units }
  const args = [to, units] as const
  // The service's own test tokens are minted without a limit.
  const data =
    options.tokens === 'test-tokens'
      ? encodeFunctionData({ ...TestToken, functionName: 'mint', args })
      : encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  return { to: token, data }
}

/**
 * Gives an address test tokens: newly minted ones if they are the service's own, otherwise from the
 * operator's balance.
 */
const fundAccount = async ({ outbox }: Connection, key: string, call: OutboxCall): Promise<WalletResult> => {
  const sent = await outbox.send(key, async () => call, { isGuarded: false })
  const result = sent.status === 'failed' && !sent.txId ? await outbox.keepRefusal(key, sent) : sent
  if (result.status === 'succeeded') return { status: 'success', txId: result.txId }
  const message = `The wallet could not be funded: ${result.reason}`
  const revert = { type: 'contract_call' as const, reason: result.reason }
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

/** The last second that has a four-digit year. A contract may return any number. */
const maxSeconds = 253_402_300_799n

const expiryOf = ({ kind, expiresAt }: TokenState): bigint | undefined => {
  if (kind !== 'ERC-5643') return undefined
  return expiresAt > maxSeconds ? maxSeconds : expiresAt
}

const isHeld = ({ kind, owner, balance }: TokenState, { holder }: TokenOfHolder): boolean =>
  kind === 'ERC-1155' ? balance > 0n : owner !== zeroAddress && owner.toLowerCase() === holder.toLowerCase()

/** Creates the reads of tokens of any contract: their transfers, holders and states. */
const createTokenReads = ({
  read,
}: ChainParts): Pick<WalletPort, 'findTransfers' | 'findTransfersOf' | 'readTokens' | 'findOwner'> => ({
  findTransfers: (input) => read((client) => findTransfers(client, input)),
  findTransfersOf: (input) => read((client) => findTransfersOf(client, input)),
  readTokens: async (tokens) => {
    const states = await read((client) => readTokenStates(client, tokens))
    return tokens.map((token, at) => {
      const state = states[at]
      if (!state || !isHeld(state, token)) return undefined
      return { standard: state.kind, uri: state.uri, expiresAt: expiryOf(state) }
    })
  },
  findOwner: async (token) => {
    const [state] = await read((client) => readTokenStates(client, [{ ...token, holder: zeroAddress }]))
    if (state?.kind === 'ERC-1155') return 'semi-fungible'
    if (!state || state.owner === zeroAddress) return undefined
    return { owner: state.owner, expiresAt: expiryOf(state) }
  },
})

/** Creates the wallet port of an EVM chain. */
export const createWalletPort = (parts: ChainParts): WalletPort => {
  const { use, read, askFallback } = parts
  const { publishedTokens = [] } = parts.options
  const known = parts.currencies.map(({ currency }) => currency)
  const currencies = [
    ...parts.currencies,
    ...publishedTokens.filter(({ currency }) => !known.includes(currency)),
  ]
  return {
    custodialType: 'evm-mpc-wallet',
    accountAddress: (privateKey) => privateKeyToAddress(bytesToHex(privateKey)),
    calls: createCallPort(parts),
    operations: createOperationPort(parts),
    messages: undefined,
    currencies,
    getBalances: async (address, names) => {
      const asked = currencies.filter(({ currency }) => names.includes(currency))
      const holder = getAddress(address)
      const readHeld = (client: PublicClient) =>
        Promise.all(asked.map((currency) => readBalance(client, holder, currency)))
      const held = await askFallback(() => read(readHeld), readHeld)
      return Object.fromEntries(asked.map(({ currency }, at) => [currency, held[at] ?? 0n]))
    },
    fund: (key, input) => use(async (opened) => fundAccount(opened, key, makeCall(parts, input))),
    ...createTokenReads(parts),
  }
}
