import type { Address, Rpc, Signature, SolanaRpcApi } from '@solana/kit'
import { fetchEncodedAccount, isOffCurveAddress, lamports } from '@solana/kit'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { decodeMint } from '@solana-program/token-2022'
import { ConfigError } from '#base/config/settings.js'
import { ServiceError } from '#base/errors.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import type { ChainPort, PreparePaymentInput, RefundInput } from '#base/ports/chain.js'
import type { ChainCurrency } from '#base/ports/currency.js'
import { attemptKey, firstKey, type WriteOptions } from '#base/ports/write.js'
import { createWalletPort } from './accounts/createWalletPort.js'
import { createBubblegum } from './collections/bubblegum.js'
import { createCollectionWrites } from './collections/collectionWrites.js'
import { accountAddress } from './connection/accountAddress.js'
import { createAskFallback } from './connection/askFallback.js'
import { createClusterCheck } from './connection/clusterCheck.js'
import { type Connection, connect, openRpc } from './connection/connect.js'
import { deriveReference, deriveTestToken, TOKEN_PROGRAM_ADDRESS } from './connection/derivedAddresses.js'
import { inspectNode } from './connection/inspectNode.js'
import { parseAddress } from './connection/parseAddress.js'
import { parseSignature } from './connection/parseSignature.js'
import { readBlock, readHead } from './connection/readBlock.js'
import { withNode } from './connection/withNode.js'
import { createTestToken, testTokens } from './createTestTokens.js'
import { closeGuards, closeGuardsEveryMs } from './outbox/closeGuards.js'
import { explainFailure } from './outbox/explainFailure.js'
import { estimateFee } from './outbox/priorityFee.js'
import { createPaymentSearch } from './payments/findPayments.js'
import {
  closeEveryMs,
  closeIdle,
  createOpening,
  createOpeningLimit,
  findOpeningKey,
} from './payments/openOrderTokens.js'
import { getPaymentPlace, type PaymentPlace } from './payments/paymentTerms.js'
import { createPayOut, createTreasuryRefund, estimateRent, readHeld } from './payments/payOuts.js'
import { estimatePayments, preparePayment } from './payments/preparePayment.js'
import { readKept, readRefundFee, readStatement } from './payments/readStatement.js'
import { createRestore } from './restore/createRestore.js'
import type { SolanaChainOptions, SolanaPrograms } from './solanaChainOptions.js'

const native = { currency: 'sol', decimals: 9 } as const
/** What the operator of a local cluster has. @units lamports */
const localLamports = lamports(1_000_000n * 10n ** 9n)
/** How often the service looks what became of transactions that may have no job any more. */
const finishOpenEveryMs = 60_000
/** How often the token account of an order is opened if the chain loses it again. */
const maxOpenings = 5

/**
 * Creates the port of Solana: orders are paid at accounts of their own, by which payments are found, and goods are
 * tokens of Token-2022.
 */
export const createSolanaChain = (options: SolanaChainOptions): ChainPort => {
  const { chain, commitment, db } = options
  const operator = accountAddress(options.operatorKey)
  const compression = options.programs && createBubblegum(options.programs)
  const hasTestTokens = options.tokens === 'test-tokens'
  const tokens: readonly ChainCurrency[] =
    options.tokens === 'test-tokens'
      ? testTokens.map(({ currency, decimals }) => {
          return { currency, decimals, address: deriveTestToken(operator, currency).address }
        })
      : options.tokens
  const currencies: readonly ChainCurrency[] = [native, ...tokens]
  const terms = { operator, currencies }
  const search = createPaymentSearch(terms, options.log)
  const caps = options.openingsPerHour ?? {
    perProject: Number.POSITIVE_INFINITY,
    perChain: Number.POSITIVE_INFINITY,
  }
  const limitOpening = createOpeningLimit({ db, chain }, caps, options.log)

  const check = createClusterCheck(options)
  const askFallback = createAskFallback(options, check)
  const restore = createRestore({ db, chain, terms, open: () => openRpc(options, check) })
  let connection: Promise<Connection> | undefined
  const use = async <Result>(work: (opened: Connection) => Promise<Result>): Promise<Result> => {
    connection ??= connect(options, check).then(async (opened) => {
      await withNode(chain, () => restore.assertKnown(opened.rpc))
      return opened
    })
    const current = connection
    try {
      return await withNode(chain, async () => work(await current))
    } catch (error) {
      const isAway = error instanceof ServiceError && error.isOutage
      if (isAway) options.onAway?.()
      // A node that is back after an outage may have another URL.
      if (connection === current && (isAway || !(error instanceof ServiceError))) connection = undefined
      throw error
    }
  }
  const read = <Result>(work: (rpc: Rpc<SolanaRpcApi>) => Promise<Result>): Promise<Result> =>
    use(({ rpc }) => work(rpc))

  const placeOf = ({ orderId, currency }: { orderId: string; currency: string }): PaymentPlace => {
    const place = getPaymentPlace(terms, { reference: deriveReference(operator, orderId), currency })
    if (place) return place
    throw new ServiceError('input-invalid', `${chain} has no currency ${currency}`)
  }
  const addressOf = (text: string): Address => {
    const address = parseAddress(text)
    if (address) return address
    throw new ServiceError('input-invalid', `${text} is not an address on ${chain}`)
  }

  /** Opens the token account of an order, unless it is open. */
  const openTokens = (input: PreparePaymentInput, place: PaymentPlace) => async (): Promise<void> => {
    if (!place.mint) return
    await use(async (opened) => {
      const { exists } = await fetchEncodedAccount(opened.rpc, place.account.address, {
        commitment: 'confirmed',
      })
      if (!exists) await limitOpening(opened, input, () => open(opened, input, place))
    })
  }

  const open = async (
    { rpc, operator: signer, outbox }: Connection,
    { orderId, projectId }: PreparePaymentInput,
    place: PaymentPlace,
  ): Promise<void> => {
    const trace = place.account.address
    const isOpen = async () => (await fetchEncodedAccount(rpc, trace, { commitment: 'confirmed' })).exists
    const makeInstructions = () => createOpening(rpc, signer, place)
    const key = await findOpeningKey({ db, chain }, `${orderId}:${place.mint}`, projectId)
    const write = { makeInstructions, trace, isGuarded: false, commitment: 'confirmed' } as const
    let reason = 'the node does not show it'
    for (let attempt = 1; attempt <= maxOpenings; attempt++) {
      const sent = await outbox.send(attemptKey(key, attempt), write)
      // The chain may have lost the confirmed block of an earlier opening.
      if (await isOpen()) return
      if (sent.status === 'succeeded') continue
      reason = sent.reason
      break
    }
    const message = `The account of the order could not be opened on ${chain}: ${reason}`
    throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })
  }

  const payOut = (
    key: string,
    { orderId, currency, units, recipient, feeUnits }: RefundInput,
    { isAttributed, isSweep }: { isAttributed: boolean; isSweep: boolean },
    write?: WriteOptions,
  ) =>
    use(({ rpc, operator: signer, outbox }) => {
      const place = placeOf({ orderId, currency })
      const to = addressOf(recipient)
      const makeInstructions = async () => {
        const held = await readHeld(rpc, place)
        const kept = held < units ? await readKept(rpc, operator, place) : 0n
        if (held + kept < units) {
          const message = `${chain} shows ${held} of ${units} base units of ${currency} for ${orderId}`
          throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })
        }
        return createPayOut(rpc, signer, place, {
          units,
          recipient: to,
          isAttributed,
          feeUnits,
          // A swept order is paid no more. If a payment comes at this moment, this attempt fails and the next sweeps.
          isLast: isSweep && held === units,
        })
      }
      return outbox.send(key, { makeInstructions, trace: place.account.address, isGuarded: true }, write)
    })

  /** Refunds from the operator's own account. The place of the refund is only named, and holds nothing. */
  const refundFromTreasury = (
    key: string,
    { currency, units, recipient, feeUnits }: RefundInput,
    write?: WriteOptions,
  ) =>
    use(({ rpc, operator: signer, outbox }) => {
      const place = placeOf({ orderId: firstKey(key), currency })
      const to = addressOf(recipient)
      const makeInstructions = () =>
        createTreasuryRefund(rpc, signer, place, { units, recipient: to, feeUnits })
      return outbox.send(key, { makeInstructions, trace: place.references[0], isGuarded: true }, write)
    })

  let closedAtMs = 0
  let guardsClosedAtMs = 0
  let openFinishedAtMs = 0

  const deploy = (): Promise<void> =>
    use(async ({ rpc, operator: signer, outbox }) => {
      if (options.isLocal) {
        const { value } = await rpc.getBalance(operator, { commitment: 'confirmed' }).send()
        if (value < localLamports / 2n) await fundLocally(rpc, operator)
      }
      for (const token of hasTestTokens ? testTokens : []) {
        const trace = deriveTestToken(operator, token.currency).address
        const known = await fetchEncodedAccount(rpc, trace, { commitment: 'confirmed' })
        if (known.exists) continue
        const makeInstructions = () => createTestToken(rpc, signer, token)
        const write = { makeInstructions, trace, isGuarded: false }
        const created = await outbox.send(`test-token:${token.currency}`, write)
        if (created.status === 'failed')
          throw new Error(`the test token ${token.currency}: ${created.reason}`)
      }
    })

  return {
    chain,
    family: 'solana',
    searchesAnyRange: true,
    chainId: 0,
    isLocal: options.isLocal,
    isStarted: options.isStarted ?? (() => true),
    confirmations: 1,
    currencies,
    compresses: compression !== undefined,
    restore: restore.port,
    wallets: createWalletPort({ chain, currencies, hasTestTokens, use, read, askFallback }),
    ready: memoizeAsync(deploy, Number.POSITIVE_INFINITY, Date.now),
    checkTokens: () =>
      withNode(chain, async () => {
        const rpc = await openRpc(options, check)
        for (const token of hasTestTokens ? [] : tokens) await checkToken(rpc, chain, token)
        if (options.programs) await checkPrograms(rpc, options.programs)
      }),
    recover: () =>
      use(async (opened) => {
        await restore.assertKnown(opened.rpc)
        await opened.outbox.recover()
        if (Date.now() - openFinishedAtMs >= finishOpenEveryMs) {
          openFinishedAtMs = Date.now()
          await opened.outbox.finishOpen()
        }
        if (Date.now() - guardsClosedAtMs >= closeGuardsEveryMs) {
          guardsClosedAtMs = Date.now()
          await closeGuards(opened, { db, chain, log: options.log })
        }
        if (Date.now() - closedAtMs < closeEveryMs) return
        closedAtMs = Date.now()
        await closeIdle(opened, { db, chain }, ({ orderId, mint }) => {
          const known = currencies.find(({ address }) => address === mint)
          return known && placeOf({ orderId, currency: known.currency })
        })
      }),
    getCaip2: () => read(async (rpc) => `solana:${(await rpc.getGenesisHash().send()).slice(0, 32)}`),
    getHead: () => read(readHead),
    getFinalBlock: () => read((rpc) => rpc.getSlot({ commitment }).send()),
    getOperatorBalance: () =>
      read(async (rpc) => (await rpc.getBalance(operator, { commitment: 'confirmed' }).send()).value),
    inspect: () => withNode(chain, async () => inspectNode(await openRpc(options, check), operator)),
    readRateFeed: async () => {
      throw new Error(`there are no price feeds on ${chain}`)
    },
    getBlock: (number) => read((rpc) => readBlock(rpc, number)),
    findTransactionBlock: (txId) =>
      read(async (rpc) => {
        const status = await readStatus(rpc, txId)
        return status?.confirmationStatus === 'processed' ? undefined : status?.slot
      }),
    traceReported: ({ txId, orderId }) =>
      read(async (rpc) => {
        const status = await readStatus(rpc, txId)
        if (!status) return 'unknown'
        if (status.err === null) return 'known'
        const places = currencies.map(({ currency }) => placeOf({ orderId, currency }))
        const own = places.map(({ account }) => namesAddress(rpc, txId, account.address))
        const isForOrder = (await Promise.all(own)).includes(true)
        const reason = isForOrder ? await explainFailure(rpc, txId, status.err) : ''
        return /insufficient/i.test(reason) ? 'insufficient-funds' : 'known'
      }),
    paymentTarget: ({ orderId }) => deriveReference(operator, orderId),
    preparePayment: (input) =>
      read((rpc) => {
        const place = placeOf(input)
        return preparePayment(rpc, place, input, openTokens(input, place))
      }),
    estimatePayments: ({ orderId, payments, ...input }) =>
      read((rpc) => {
        const placed = payments.map((payment) => ({
          ...payment,
          place: placeOf({ orderId, currency: payment.currency }),
        }))
        return estimatePayments(rpc, placed, input)
      }),
    findPayments: (input) => read((rpc) => search(rpc, (slot) => readBlock(rpc, slot), input)),
    ...createCollectionWrites({ chain, operator, compression, use, read }),
    refund: async (key, { isFromTreasury, feeUnits = 0n, ...rest }, write) => {
      const input = { ...rest, feeUnits }
      const result = await (isFromTreasury
        ? refundFromTreasury(key, input, write)
        : payOut(key, input, { isAttributed: true, isSweep: false }, write))
      const { mint } = placeOf(input)
      if (result.status !== 'succeeded' || !mint || input.recipient === operator) return result
      const fee = await readRefundFee(db, operator, { mint, txId: result.txId })
      return { ...result, ...(fee > 0n && { feeUnits: fee }) }
    },
    sweep: (key, { recipient = operator, ...input }, write) =>
      payOut(key, { ...input, recipient }, { isAttributed: true, isSweep: true }, write),
    sendUnattributed: (key, input, write) =>
      payOut(key, input, { isAttributed: false, isSweep: false }, write),
    estimateRefundFee: (input) =>
      read(async (rpc) => {
        const place = placeOf(input)
        const [fee, rent] = await Promise.all([
          estimateFee(rpc, [place.account.address]),
          estimateRent(rpc, operator, { mint: place.mint, owner: addressOf(input.recipient) }),
        ])
        return fee + rent
      }),
    estimateRefundRent: (input) =>
      read((rpc) => {
        const { mint } = placeOf(input)
        return estimateRent(rpc, operator, { mint, owner: addressOf(input.recipient) })
      }),
    // Whoever can pay here can be paid: there is no code that rejects coins, so nothing is ever credited.
    payOutCredit: async () => ({ status: 'failed', reason: `nothing is credited on ${chain}` }),
    findCreditPayOut: async () => undefined,
    getStatement: (input) =>
      withNode(chain, async () =>
        readStatement({ rpc: await openRpc(options, check), db }, chain, terms, input),
      ),
    isContract: (text) =>
      read(async (rpc) => {
        const address = addressOf(text)
        if (isOffCurveAddress(address)) return true
        const account = await fetchEncodedAccount(rpc, address, { commitment: 'confirmed' })
        return account.exists && account.executable
      }),
    isServiceAddress: ({ orderId, address }) => {
      const mints = tokens.map((token) => token.address)
      const places = currencies.map(({ currency }) => placeOf({ orderId, currency }))
      const own = places.flatMap(({ account, references }) => [account.address, ...references])
      // The address of 32 zero bytes is the system program's.
      return [SYSTEM_PROGRAM_ADDRESS, operator, ...mints, ...own].some((each) => each === address)
    },
    parseAddress,
    close: options.close,
  }
}

const readStatus = async (rpc: Rpc<SolanaRpcApi>, txId: string) => {
  const signature = parseSignature(txId)
  if (!signature) return undefined
  const { value } = await rpc.getSignatureStatuses([signature], { searchTransactionHistory: true }).send()
  return value[0] ?? undefined
}

const namesAddress = async (rpc: Rpc<SolanaRpcApi>, txId: string, address: Address): Promise<boolean> => {
  const terms = { commitment: 'confirmed', limit: 1_000 } as const
  const page = await rpc.getSignaturesForAddress(address, terms).send()
  return page.some(({ signature }) => signature === (txId as Signature))
}

const fundLocally = async (rpc: Rpc<SolanaRpcApi>, operator: Address): Promise<void> => {
  const signature = await rpc.requestAirdrop(operator, localLamports).send()
  for (;;) {
    const { value } = await rpc.getSignatureStatuses([signature]).send()
    if (value[0] && value[0].confirmationStatus !== 'processed') return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const checkPrograms = async (rpc: Rpc<SolanaRpcApi>, programs: SolanaPrograms): Promise<void> => {
  for (const [name, program] of Object.entries(programs)) {
    const account = await fetchEncodedAccount(rpc, program)
    if (account.exists && account.executable) continue
    throw new ConfigError(`KASSA_SOLANA_PROGRAMS: there is no program at ${program}, the address of ${name}`)
  }
}

const checkToken = async (
  rpc: Rpc<SolanaRpcApi>,
  chain: string,
  { currency, address, decimals }: ChainCurrency,
): Promise<void> => {
  const variable = `KASSA_TOKENS_${chain.toUpperCase()}`
  const account = await fetchEncodedAccount(rpc, address as Address)
  if (!account.exists) throw new ConfigError(`${variable}: there is no token at the address of ${currency}`)
  if (account.programAddress !== TOKEN_PROGRAM_ADDRESS) {
    throw new ConfigError(
      `${variable}: ${currency} does not belong to the Token program, whose tokens alone are accepted`,
    )
  }
  const { data } = decodeMint(account)
  if (data.decimals === decimals) return
  throw new ConfigError(`${variable}: ${currency} has ${data.decimals} decimals, not ${decimals}`)
}
