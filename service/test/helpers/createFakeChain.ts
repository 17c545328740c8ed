import { createHash } from 'node:crypto'
import { isInMerkleTree, parseAddress } from 'kassa/engine'
import { ServiceError } from '#base/errors.js'
import type { ChainPort, PreparedPayment, RefundInput, SeenPayment } from '#base/ports/chain.js'
import type { MintInput } from '#base/ports/collections.js'
import { firstKey, type PayOutResult, type WriteResult } from '#base/ports/write.js'
import { createFakeWallets, fakeCurrencies } from './createFakeWallets.js'

type Block = { number: bigint; hash: string; timestampMs: number; payments: SeenPayment[] }

/** A scripted chain in memory: blocks, reorganisations, outages, refusals. */
export const createFakeChain = (options: {
  now: () => number
  chain?: string
  confirmations?: number
  isLocal?: boolean
}) => {
  const { now, chain = 'base-sepolia', confirmations = 1, isLocal = true } = options
  const hash = (...parts: unknown[]) =>
    `0x${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`
  let salt = 0
  const newBlock = (number: bigint): Block => {
    return { number, hash: hash(chain, `${number}`, salt++), timestampMs: now(), payments: [] }
  }
  let blocks: Block[] = [newBlock(0n)]
  const written = new Map<string, WriteResult>()
  /** The refunds that payers could not receive, by key, and the transactions that paid them out. */
  const credits = new Map<string, { currency: string; units: bigint; txId?: string }>()
  const owners = new Map<string, string>()
  const sent: { key: string; kind: string; input: unknown }[] = []
  const state = {
    isAway: false,
    /** The answers of its price feeds, by address. */
    rateFeeds: new Map<string, { rate: string; updatedAtMs: number }>(),
    funds: 'ready' as PreparedPayment['status'],
    /** Why it refuses, by the kind or the key of a write. */
    refusals: new Map<string, string>(),
    /** The results of transactions that are not payments. They are in the first block. */
    traces: new Map<string, 'known' | 'insufficient-funds'>(),
    readyCount: 0,
    isStarted: true,
    recoverCount: 0,
    /** How many of the last blocks the node lacks. */
    behind: 0,
    /** Whether the node has its blocks and lacks their logs. */
    isHidingLogs: false,
    /** The cost of a refund. */
    refundFeeWei: 0n,
    /** The cost of a refund to an address that takes another amount of gas. */
    refundFeesWei: new Map<string, bigint>(),
    /** Funds at deposit addresses that pay for nothing. */
    unattributed: [] as { orderId: string; currency: string; units: bigint }[],
    /** What its port says of the operator's account. */
    operator: { address: '0xoperator', units: 10n ** 18n, saleUnits: 10n ** 12n, setUpUnits: 0n },
    /** Addresses that are contracts. */
    contracts: new Set<string>(),
    /** Addresses that reject coins. */
    refusing: new Set<string>(),
    /** Runs once a mint is in a block, until the block is final; may return another end than the one in the block. */
    untilFinal: async (_key: string): Promise<WriteResult | undefined> => undefined,
    /** Runs once a write is on chain and before its caller gets the result. */
    afterWrite: (_key: string) => {},
  }
  const assertUp = () => {
    if (state.isAway) throw new ServiceError('chain-unavailable', 'The node does not answer')
  }
  const write = (key: string, kind: string, input: unknown, onSuccess = () => {}): WriteResult => {
    assertUp()
    const known = written.get(key)
    if (known) return known
    // The guard of the contracts: of all attempts at one write, one succeeds.
    const isDone = sent.some((one) => one.kind === kind && firstKey(one.key) === firstKey(key))
    const refusal = state.refusals.get(firstKey(key)) ?? state.refusals.get(kind)
    const reason = isDone ? 'AlreadyDone' : refusal
    const result: WriteResult =
      reason === undefined ? { status: 'succeeded', txId: hash(key) } : { status: 'failed', reason }
    written.set(key, result)
    if (reason === undefined) {
      sent.push({ key, kind, input })
      onSuccess()
    }
    state.afterWrite(key)
    return result
  }
  /** Removes the tokens of a mint that a reorganisation took back. */
  const takeBack = (key: string, { collection, tokens }: MintInput): void => {
    for (const { tokenId } of tokens) owners.delete(`${port.collectionAddress(collection)}:${tokenId}`)
    sent.splice(
      sent.findIndex((one) => one.key === key),
      1,
    )
  }
  const payOut = (
    key: string,
    kind: 'refund' | 'sweep',
    input: { currency: string; units: bigint; recipient?: string },
  ): PayOutResult => {
    const { currency, units, recipient } = input
    const sent = write(key, kind, input)
    const isRefused = currency === 'eth' && recipient !== undefined && state.refusing.has(recipient)
    if (sent.status === 'failed' || !isRefused) return sent
    if (!credits.has(firstKey(key))) credits.set(firstKey(key), { currency, units })
    return { status: 'credited', txId: sent.txId, contract: '0xrouter' }
  }
  const known = (): Block[] => blocks.slice(0, blocks.length - state.behind)
  const head = (): Block => blocks.at(-1) ?? newBlock(0n)
  const mine = (count = 1): Block => {
    for (let at = 0; at < count; at++) blocks.push(newBlock(head().number + 1n))
    return head()
  }
  const wallets = createFakeWallets({ chain, chainId: 84532, assertUp, headNumber: () => head().number, now })
  const walletStandards = { 'erc-721': 'ERC-721', 'erc-1155': 'ERC-1155', 'erc-5643': 'ERC-5643' } as const
  const port: ChainPort = {
    chain,
    family: 'evm',
    searchesAnyRange: false,
    chainId: 84532,
    isLocal,
    isStarted: () => state.isStarted,
    confirmations,
    wallets: wallets.port,
    restore: {
      referencesOf: (key) => [key],
      orderReferenceOf: (orderId) => orderId,
      find: async () => ({ writes: [], others: [], payments: [], mark: '' }),
      accept: async () => {},
    },
    currencies: fakeCurrencies,
    checkTokens: async () => {},
    readRateFeed: async (address) => {
      assertUp()
      const quotation = state.rateFeeds.get(address)
      if (!quotation) throw new Error(`no price feed at ${address}`)
      return quotation
    },
    ready: async () => {
      state.readyCount++
      assertUp()
    },
    recover: async () => {
      state.recoverCount++
      assertUp()
    },
    inspect: async () => {
      assertUp()
      const { address, units, saleUnits, setUpUnits } = state.operator
      const operator = { address, units, saleUnits, setUpUnits }
      return { caip2: 'eip155:84532', head: head(), latencyMs: 1, historyMs: 30 * 86_400_000, operator }
    },
    getOperatorBalance: async () => {
      assertUp()
      return 10n ** 18n
    },
    getCaip2: async () => 'eip155:84532',
    getFinalBlock: async () => undefined,
    getHead: async () => {
      assertUp()
      return known().at(-1) ?? head()
    },
    getHeadNumber: async () => {
      assertUp()
      return (known().at(-1) ?? head()).number
    },
    getBlock: async (number) => {
      assertUp()
      return known().find((block) => block.number === number)
    },
    findTransactionBlock: async (txId) => {
      assertUp()
      if (state.traces.has(txId)) return 0n
      return known().find(({ payments }) => payments.some((paid) => paid.txId === txId))?.number
    },
    traceReported: async ({ txId, currency }) => {
      assertUp()
      const isMined = blocks.some(({ payments }) => payments.some((paid) => paid.txId === txId))
      const trace = state.traces.get(txId) ?? (isMined ? 'known' : 'unknown')
      const hasCurrency = port.currencies.some((each) => each.currency === currency)
      return trace === 'insufficient-funds' && !hasCurrency ? 'known' : trace
    },
    paymentTarget: ({ orderId, currency }) => (currency === 'eth' ? `ref:${orderId}` : `deposit:${orderId}`),
    preparePayment: async ({ orderId, currency, units, deadlineMs, isGasPaidByOthers }) => {
      assertUp()
      const hasGas = isGasPaidByOthers && state.funds === 'insufficient-funds-for-gas'
      if (state.funds !== 'ready' && !hasGas) return { status: state.funds }
      const serializedTransaction = JSON.stringify({ orderId, currency, units: `${units}`, deadlineMs })
      return { status: 'ready', serializedTransaction }
    },
    readHoldings: async (payers) => {
      assertUp()
      const units = { 'insufficient-funds': 0n, 'insufficient-funds-for-gas': 1n, ready: 2n }[state.funds]
      return payers.map(() => ({ native: units, units }))
    },
    estimatePayments: async ({ payer, payments, isGasPaidByOthers }) => {
      assertUp()
      const fee = isGasPaidByOthers ? 0n : 1_000n
      const isShort = state.funds !== 'ready' && !(fee === 0n && state.funds !== 'insufficient-funds')
      return payments.map(({ currency, units }) => {
        if (payer === undefined) return { fee }
        const lacking = state.funds === 'insufficient-funds' ? currency : 'eth'
        const missing = isShort ? [{ currency: lacking, units: 1n }] : []
        return { fee, funds: { balance: isShort ? units - 1n : units + fee, missing } }
      })
    },
    findPayments: async ({ fromBlock, toBlock, targets }) => {
      assertUp()
      const isRead = ({ number }: Block) => number >= fromBlock && number <= toBlock
      return (state.isHidingLogs ? [] : known())
        .filter(isRead)
        .flatMap(({ payments }) => payments)
        .filter(({ target }) => targets.includes(target))
    },
    collectionAddress: ({ key, standard }) => `0x${hash(key, standard).slice(2, 42)}`,
    tokenAddress: () => undefined,
    countMints: (_, tokens) => Math.min(50, tokens.length),
    createCollection: async (key, input) => {
      // The key comes from the collection, so a collection is created once under any caller's key.
      const isSame = (one: (typeof sent)[number]) =>
        one.kind === 'createCollection' && firstKey(one.key) === firstKey(key)
      return written.get(sent.find(isSame)?.key ?? '') ?? write(key, 'createCollection', input)
    },
    mint: async (key, input, terms) => {
      const result = write(key, 'mint', input, () => {
        for (const { tokenId, recipient, mintKey, uri, expiresAt } of input.tokens) {
          const isMany = input.collection.standard === 'erc-1155'
          const contract = port.collectionAddress(input.collection)
          const locator = `${contract}:${tokenId}${isMany ? `:${mintKey}` : ''}`
          if (owners.has(locator)) throw new Error(`minted twice: ${locator}`)
          owners.set(locator, recipient)
          const standard = walletStandards[input.collection.standard]
          wallets.mint({ contract, tokenId: `${tokenId}`, to: recipient, standard, uri, expiresAt })
        }
      })
      if (confirmations <= 1 || result.status === 'failed') return result
      terms?.onLanded?.(result.txId)
      const end = (await state.untilFinal(key)) ?? result
      if (end.status === 'failed') takeBack(key, input)
      written.set(key, end)
      return end
    },
    updateCollection: async (key, input) => write(key, 'updateCollection', input),
    updateToken: async (key, input) => write(key, 'updateToken', input),
    refund: async (key, input) => payOut(key, 'refund', input),
    estimateRefundFee: async ({ recipient }) => {
      assertUp()
      return state.refundFeesWei.get(recipient) ?? state.refundFeeWei
    },
    payOutCredit: async (key, input) => {
      const credit = credits.get(input.payOutKey)
      if (!credit || (credit.txId && !written.has(key)))
        return { status: 'failed', reason: 'NothingCredited' }
      const sent = write(key, 'payOutCredit', input)
      if (sent.status === 'succeeded') credits.set(input.payOutKey, { ...credit, txId: sent.txId })
      return sent
    },
    findCreditPayOut: async (key) => {
      assertUp()
      return credits.get(key)?.txId
    },
    sendUnattributed: async (key, input) =>
      write(key, 'sendUnattributed', input, () => {
        state.unattributed = state.unattributed.filter(
          ({ orderId, currency }) => orderId !== input.orderId || currency !== input.currency,
        )
      }),
    sweep: async (key, input) => payOut(key, 'sweep', input),
    getStatement: async (input) => {
      assertUp()
      const keys = new Set(input.flatMap(({ payOutKeys }) => payOutKeys))
      const payOuts = sent.filter(({ kind }) => kind === 'refund' || kind === 'sweep')
      const moved = payOuts.map(({ key, input }) => ({ key, ...(input as RefundInput) }))
      const held = input.flatMap(({ orderId }) =>
        port.currencies.map(({ currency }) => {
          const target = port.paymentTarget({ orderId, currency })
          const sum = (all: readonly { units: bigint }[]) =>
            all.reduce((total, { units }) => total + units, 0n)
          const paid = blocks
            .flatMap(({ payments }) => payments)
            .filter((payment) => payment.target === target && payment.currency === currency)
          const left = moved.filter(
            (out) => out.orderId === orderId && out.currency === currency && !out.isFromTreasury,
          )
          return { orderId, currency, units: sum(paid) - sum(left) }
        }),
      )
      return {
        held: held.filter(({ units }) => units !== 0n),
        unattributedFunds: state.unattributed.filter(({ orderId }) =>
          input.some((asked) => asked.orderId === orderId),
        ),
        paidOut: moved
          .filter(({ key }) => keys.has(firstKey(key)))
          .map(({ key, currency, units }) => ({ key: firstKey(key), currency, units })),
        credited: [...credits].flatMap(([key, { currency, units, txId }]) =>
          keys.has(key) && !txId ? [{ key, currency, units }] : [],
        ),
      }
    },
    isContract: async (address) => {
      assertUp()
      return state.contracts.has(address)
    },
    isServiceAddress: ({ orderId, address }) =>
      address === `0x${'0'.repeat(40)}` || address === `deposit:${orderId}`,
    parseAddress: (text) => parseAddress(text)?.toLowerCase(),
    isInMerkleTree,
    close: async () => {},
  }
  return {
    port,
    state,
    /** The operations and balances of its wallets. */
    wallets,
    sent,
    head,
    mine,
    /** Claims a refund that a payer could not receive. */
    claim: (refundId: string) => {
      // Its key begins with its id.
      const [key, credit] = [...credits].find(([known]) => `${known}:`.startsWith(`${refundId}:`)) ?? []
      if (key === undefined || !credit || credit.txId) throw new Error(`there is no credit of ${refundId}`)
      credits.set(key, { ...credit, txId: hash('claim', refundId) })
    },
    /** Puts a payment into the next block. */
    pay: (input: { orderId: string; currency: string; units: bigint; payer?: string; txId?: string }) => {
      const block = mine()
      return addPayment(block, input)
    },
    /** Puts a payment into the head block. */
    payInSameBlock: (input: {
      orderId: string
      currency: string
      units: bigint
      payer?: string
      txId?: string
    }) => addPayment(head(), input),
    /** Replaces the last blocks with as many empty ones. */
    reorganise: (depth: number) => {
      blocks = blocks.slice(0, -depth)
      mine(depth)
    },
    /** Discards the chain and starts a new one. */
    restart: () => {
      blocks = [newBlock(0n)]
      wallets.restart()
    },
    /** `copy` is the mint key, because many tokens share an id. */
    ownerOf: (contract: string, tokenId: string, copy?: string) =>
      owners.get(`${contract}:${tokenId}${copy === undefined ? '' : `:${copy}`}`),
    /** All writes of a kind. */
    sentOf: (kind: string) => sent.filter((one) => one.kind === kind),
  }

  function addPayment(
    block: Block,
    input: { orderId: string; currency: string; units: bigint; payer?: string; txId?: string },
  ): SeenPayment {
    const { orderId, currency, units, payer = '0x00000000000000000000000000000000000000aa' } = input
    const { number, hash: blockHash, timestampMs } = block
    const payment: SeenPayment = {
      txId: input.txId ?? hash('tx', salt++),
      logIndex: block.payments.length,
      block: { number, hash: blockHash, timestampMs },
      payer,
      currency,
      units,
      target: port.paymentTarget({ orderId, currency }),
    }
    block.payments.push(payment)
    return payment
  }
}

export type FakeChain = ReturnType<typeof createFakeChain>
