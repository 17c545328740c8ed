import { createHash } from 'node:crypto'
import {
  decodeExecution,
  encodeCalls,
  encodeExecution,
  hashOperation,
  readApproval,
  readTransfer,
} from 'kassa/engine'
import type { TransactionError, UserOperation } from 'kassa/schema'
import { type Address, getAddress, type Hex, hexToBigInt, numberToHex, toHex } from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { getSmartWalletAddress } from '#adapters/chains/evm/accounts/smartWalletAddress.js'
import { checkInput } from '#base/errors.js'
import type { CallPort, EncodedCall } from '#base/ports/calls.js'
import type { ChainCurrency } from '#base/ports/currency.js'
import type { BundleResult, OperationPort, WalletSigner } from '#base/ports/operations.js'
import type { HeldToken, SeenTransfer, WalletPort } from '#base/ports/wallet.js'
import type { WalletResult } from '#base/ports/write.js'

/** The currencies of a fake chain. */
export const fakeCurrencies: readonly ChainCurrency[] = [
  { currency: 'eth', decimals: 18 },
  { currency: 'usdc', decimals: 6, address: '0xusdc' },
  { currency: 'usdxm', decimals: 6, address: '0xusdxm' },
]

/** Data of a call that the simulation refuses. */
export const refusedData = '0xfa11ed00'
/** Data of a call that passes the simulation and reverts on chain. */
export const revertingData = '0xfa11ed01'

const zeroAddress: Address = '0x0000000000000000000000000000000000000000'

const digest = (...parts: unknown[]): Hex =>
  `0x${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`

type HeldHere = HeldToken & { holders: Map<string, bigint> }

/**
 * The wallets of a chain in memory. Operations and calls are included in their order, each once, by nonce.
 * {@link refusedData} is refused and {@link revertingData} reverts. Addresses, calls, hashes and approvals
 * are those of an EVM chain.
 */
export const createFakeWallets = (
  options: {
    chain?: string
    chainId?: number
    assertUp?: () => void
    headNumber?: () => bigint
    now?: () => number
  } = {},
) => {
  const {
    chain = 'base-sepolia',
    chainId = 84532,
    assertUp = () => {},
    headNumber = () => 0n,
    now = Date.now,
  } = options
  const signers = new Map<string, WalletSigner>()
  const nonces = new Map<string, bigint>()
  const balances = new Map<string, Record<string, bigint>>()
  const bundles = new Map<string, BundleResult>()
  const ended = new Map<string, WalletResult>()
  const calls = new Map<string, WalletResult>()
  const tokens = new Map<string, HeldHere>()
  /** The operations and calls on chain, in order. */
  const done: { key: string; from: string; hash?: string; calls: readonly EncodedCall[] }[] = []
  const transfers: SeenTransfer[] = []
  const state = {
    /** Runs before a send. An error reaches the caller, and nothing is sent. */
    beforeSend: async (_key: string): Promise<void> => {},
    /** Runs once a send is on chain and before its caller gets the result. */
    afterSend: async (_key: string): Promise<void> => {},
    /** The refused operations, by hash. */
    refusals: new Map<string, TransactionError>(),
    /** Whether coins are counted, so that values need a balance. */
    countsCoins: false,
  }

  const coinsOf = (address: string): bigint => balances.get(address.toLowerCase())?.eth ?? 0n
  const addBalance = (address: string, currency: string, units: bigint): void => {
    const held = balances.get(address.toLowerCase()) ?? {}
    balances.set(address.toLowerCase(), { ...held, [currency]: (held[currency] ?? 0n) + units })
  }

  const tryCalls = (from: string, all: readonly EncodedCall[]) => {
    const value = all.reduce((sum, call) => sum + call.value, 0n)
    const reason = all.some(({ data }) => data.startsWith(refusedData))
      ? 'Refused()'
      : state.countsCoins && coinsOf(from) < value
        ? 'the wallet holds too little'
        : undefined
    if (reason === undefined) return undefined
    const revert = { type: 'contract_call' as const, reason, reasonData: refusedData }
    return { status: 'reverted' as const, message: `The call reverted: ${reason}`, revert }
  }

  const run = (from: string, all: readonly EncodedCall[], txId: string): WalletResult => {
    const isReverting = all.some(({ data }) => data.startsWith(revertingData) || data.startsWith(refusedData))
    if (isReverting) {
      const revert = { type: 'contract_call' as const, reason: 'Reverted()', reasonData: revertingData }
      const error = {
        reason: 'execution_reverted' as const,
        message: 'The call reverted: Reverted()',
        revert,
      }
      return { status: 'failed', txId, error }
    }
    if (state.countsCoins) {
      for (const { to, value } of all) {
        addBalance(from, 'eth', -value)
        addBalance(to, 'eth', value)
      }
    }
    return { status: 'success', txId }
  }

  const laneOf = (sender: string, nonce: bigint) => `${sender.toLowerCase()}:${nonce >> 64n}`

  const findRefusal = async (
    operation: UserOperation,
    hash: string,
  ): Promise<TransactionError | undefined> => {
    const known = state.refusals.get(hash)
    if (known) return known
    const reverted = (reason: string): TransactionError => ({
      reason: 'execution_reverted',
      message: `The operation was refused: ${reason}`,
      revert: { type: 'wallet_authorization', reason },
    })
    const nonce = hexToBigInt(operation.nonce as Hex)
    const deadline = nonce >> 208n
    if (deadline && now() / 1000 > deadline) return reverted('AA22 expired or not due')
    const next = nonces.get(laneOf(operation.sender, nonce)) ?? 0n
    if ((nonce & (2n ** 64n - 1n)) !== next) return reverted('AA25 invalid account nonce')
    const signer = signers.get(operation.sender.toLowerCase())
    if (signer?.kind !== 'account')
      return operation.signature === '0x' ? reverted('AA24 signature error') : undefined
    const approval = { signer: signer.address, signature: operation.signature }
    return 'fault' in (await readApproval(signer, hash, approval))
      ? reverted('AA24 signature error')
      : undefined
  }

  const operationPort: OperationPort = {
    walletAddress: (wallet) => {
      const address = getAddress(getSmartWalletAddress(wallet))
      signers.set(address.toLowerCase(), wallet.signer)
      return address
    },
    getNonce: async (address, channel) => {
      assertUp()
      return (channel << 64n) | (nonces.get(`${address.toLowerCase()}:${channel}`) ?? 0n)
    },
    prepare: async ({ wallet, calls: all, nonce, isSponsored }) => {
      assertUp()
      const sender = operationPort.walletAddress(wallet)
      const reverted = tryCalls(sender, all)
      if (reverted) return reverted
      const fee = numberToHex(isSponsored ? 0n : 1_000_000_000n)
      const operation: UserOperation = {
        sender,
        nonce: numberToHex(nonce),
        callData: encodeExecution(all),
        callGasLimit: numberToHex(80_000n),
        verificationGasLimit: numberToHex(100_000n),
        preVerificationGas: numberToHex(60_000n),
        maxFeePerGas: fee,
        maxPriorityFeePerGas: fee,
        signature: '0x',
      }
      const spareWei = state.countsCoins ? coinsOf(sender) : 2n ** 128n
      return { status: 'ready', operation, hash: operationPort.hash(operation), spareWei }
    },
    hash: (operation) => hashOperation(operation, chainId),
    readApproval,
    sign: async (privateKey, hash) =>
      privateKeyToAccount(`0x${Buffer.from(privateKey).toString('hex')}`).signMessage({
        message: { raw: hash as Hex },
      }),
    send: async (key, { operations }) => {
      assertUp()
      const known = bundles.get(key)
      if (known) return known
      await state.beforeSend(key)
      const before = new Map(nonces)
      const hashes = operations.map(operationPort.hash)
      const fresh: { operation: UserOperation; hash: string }[] = []
      for (const [index, operation] of operations.entries()) {
        const hash = hashes[index] ?? ''
        if (ended.has(hash)) continue
        const error = await findRefusal(operation, hash)
        if (error) {
          nonces.clear()
          for (const [channel, next] of before) nonces.set(channel, next)
          const refused = { status: 'refused' as const, index, error }
          bundles.set(key, refused)
          return refused
        }
        const nonce = hexToBigInt(operation.nonce as Hex)
        nonces.set(laneOf(operation.sender, nonce), (nonce & (2n ** 64n - 1n)) + 1n)
        fresh.push({ operation, hash })
      }
      for (const { operation, hash } of fresh) {
        const all = decodeExecution(operation.callData as Hex)
        const { sender } = operation
        const result = run(sender, all, digest('bundle', chain, key))
        ended.set(hash, result)
        done.push({ key, from: sender, hash, calls: all })
      }
      const results = hashes.flatMap((hash) => ended.get(hash) ?? [])
      bundles.set(key, { status: 'included', results })
      await state.afterSend(key)
      return { status: 'included', results }
    },
    find: async (operation) => {
      assertUp()
      return ended.get(operationPort.hash(operation))
    },
  }

  const callPort: CallPort = {
    encode: (written, field) => checkInput(() => encodeCalls(written, field, chainId)),
    encodeBurn: ({ contract, tokenId, holder }) => ({
      to: contract,
      value: 0n,
      data: digest('burn', holder, `${tokenId}`).slice(0, 10),
    }),
    // The canonical form of the chain in memory is that of its `parseAddress`.
    readTransfer: (call) => {
      const read = readTransfer(call)
      if (!read) return undefined
      const contract = read.contract?.toLowerCase()
      return { ...read, contract, recipient: read.recipient.toLowerCase() }
    },
    try: async (from, call) => {
      assertUp()
      return tryCalls(from, [call]) ?? { status: 'ready' }
    },
    send: async (key, { privateKey, call }, { onSigned } = {}) => {
      assertUp()
      if (!calls.has(key)) await state.beforeSend(key)
      const from = privateKeyToAccount(`0x${Buffer.from(privateKey).toString('hex')}`).address
      const known = calls.get(key)
      const result = known ?? run(from, [call], digest('call', chain, key))
      if (!known) done.push({ key, from, calls: [call] })
      calls.set(key, result)
      onSigned?.()
      if (!known) await state.afterSend(key)
      return result
    },
  }

  const port: WalletPort = {
    currencies: fakeCurrencies,
    custodialType: 'evm-mpc-wallet',
    accountAddress: (privateKey) => privateKeyToAddress(toHex(privateKey)),
    calls: callPort,
    operations: operationPort,
    messages: undefined,
    getBalances: async (address, currencies) => {
      assertUp()
      const held = balances.get(address.toLowerCase())
      return Object.fromEntries(currencies.map((currency) => [currency, held?.[currency] ?? 0n]))
    },
    fund: async (key, { currency, units, recipient }) => {
      assertUp()
      if (!calls.has(key)) await state.beforeSend(key)
      const known = calls.get(key)
      if (known) return known
      addBalance(recipient, currency, units)
      const result = { status: 'success' as const, txId: digest('fund', chain, key) }
      calls.set(key, result)
      await state.afterSend(key)
      return result
    },
    findTransfers: async ({ fromBlock, toBlock, contracts }) => {
      assertUp()
      const asked = new Set(contracts.map((contract) => contract.toLowerCase()))
      return transfers.filter(
        ({ contract, blockNumber }) =>
          asked.has(contract.toLowerCase()) && blockNumber >= fromBlock && blockNumber <= toBlock,
      )
    },
    findTransfersOf: async ({ fromBlock, toBlock, wallets }) => {
      assertUp()
      const asked = new Set(wallets.map((wallet) => wallet.toLowerCase()))
      return transfers.flatMap(({ from = zeroAddress, to = zeroAddress, ...transfer }) => {
        const [isFrom, isTo] = [asked.has(from), asked.has(to)]
        const isInRange = transfer.blockNumber >= fromBlock && transfer.blockNumber <= toBlock
        if (!isInRange || !(isFrom || isTo)) return []
        return [{ ...transfer, ...(isFrom && { from }), ...(isTo && { to }) }]
      })
    },
    readTokens: async (asked) => {
      assertUp()
      return asked.map(({ contract, tokenId, holder }) => {
        const token = tokens.get(`${contract.toLowerCase()}:${tokenId}`)
        if (!token?.holders.get(holder.toLowerCase())) return undefined
        const { standard, uri, expiresAt } = token
        return { standard, uri, expiresAt }
      })
    },
    findOwner: async ({ contract, tokenId }) => {
      assertUp()
      const token = tokens.get(`${contract.toLowerCase()}:${tokenId}`)
      if (!token) return undefined
      if (token.standard === 'ERC-1155') return 'semi-fungible'
      const [owner] = [...token.holders].find(([, count]) => count > 0n) ?? []
      return owner === undefined ? undefined : { owner, expiresAt: token.expiresAt }
    },
  }

  /** Moves, mints or burns a token, and writes the log. */
  const move = (input: { contract: string; tokenId: string; from?: string; to?: string }): void => {
    const { contract, tokenId, from = zeroAddress, to = zeroAddress } = input
    const holders = tokens.get(`${contract.toLowerCase()}:${tokenId}`)?.holders
    if (!holders) throw new Error(`there is no token ${tokenId}`)
    for (const [holder, change] of [
      [from.toLowerCase(), -1n],
      [to.toLowerCase(), 1n],
    ] as const) {
      if (holder !== zeroAddress) holders.set(holder, (holders.get(holder) ?? 0n) + change)
    }
    // The canonical form of the chain in memory is that of its `parseAddress`.
    const [contractAddress = '', sender = '', recipient = ''] = [contract, from, to].map((address) =>
      address.toLowerCase(),
    )
    const blockNumber = headNumber()
    transfers.push({ contract: contractAddress, tokenId, from: sender, to: recipient, blockNumber })
  }

  return {
    port,
    calls: callPort,
    operations: operationPort,
    messages: undefined,
    state,
    done,
    transfers,
    addBalance,
    move,
    /** Mints a token, or another copy of it, to a holder. */
    mint: (input: { contract: string; tokenId: string; to: string } & Partial<HeldToken>): void => {
      const { contract, tokenId, to, standard = 'ERC-721', uri, expiresAt } = input
      const id = `${contract.toLowerCase()}:${tokenId}`
      const holders = tokens.get(id)?.holders ?? new Map<string, bigint>()
      tokens.set(id, { standard, uri, expiresAt, holders })
      move({ contract, tokenId, to })
    },
    /** Discards the chain. */
    restart: (): void => {
      for (const each of [nonces, balances, ended, tokens]) each.clear()
      transfers.length = 0
    },
  }
}
