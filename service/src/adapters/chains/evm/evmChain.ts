import { isInMerkleTree, parseAddress } from 'kassa/engine'
import {
  type Address,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  type PublicClient,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ServiceError } from '#base/errors.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import type { ChainPort, RefundInput } from '#base/ports/chain.js'
import type { CollectionRef } from '#base/ports/collections.js'
import type { ChainCurrency } from '#base/ports/currency.js'
import type { FoundWrites } from '#base/ports/restore.js'
import type { WriteOptions } from '#base/ports/write.js'
import { firstKey, type PayOutResult, type WriteResult } from '#base/ports/write.js'
import { createWalletPort } from './accounts/createWalletPort.js'
import { DepositFactory } from './artifacts/DepositFactory.js'
import { PaymentRouter } from './artifacts/PaymentRouter.js'
import { createCollectionWrites, type Write } from './collections/collectionWrites.js'
import { explainRecipient } from './collections/explainRecipient.js'
import { creditTrace, payOutTrace, type WriteTrace } from './collections/writeTrace.js'
import {
  getCloneAddress,
  getCollectionAddress,
  getDeployments,
  toReference,
  walletDeployments,
} from './connection/addresses.js'
import { createAskFallback } from './connection/askFallback.js'
import { checkTokens } from './connection/checkTokens.js'
import { type Connection, connect, listDeployments, openClient } from './connection/connect.js'
import { readDataFee } from './connection/dataFee.js'
import { priceOf, readBlockTerms } from './connection/fees.js'
import { readFinalBlock } from './connection/finality.js'
import { createHeads } from './connection/heads.js'
import { inspectNode, UnfundedError } from './connection/inspectNode.js'
import { isContract } from './connection/isContract.js'
import { findTransactionBlock, getBlock, getHead } from './connection/readBlock.js'
import { readRevert } from './connection/readRevert.js'
import { withNode } from './connection/rpc.js'
import type { EvmChainOptions } from './evmChainOptions.js'
import { createRecovery } from './outbox/createRecovery.js'
import { findDone } from './outbox/findDone.js'
import type { OutboxCall, Sharing } from './outbox/outbox.js'
import { lendToRefund } from './payments/lendToRefund.js'
import { getTestTokens } from './payments/listContracts.js'
import { findPayments, getPaymentTarget } from './payments/orderPayments.js'
import { estimatePayments, preparePayment } from './payments/preparePayment.js'
import { readArrived } from './payments/readArrived.js'
import { readRateFeed } from './payments/readRateFeed.js'
import { readStatement } from './payments/readStatement.js'
import { traceReported } from './payments/traceReported.js'
import { findOperatorWrites } from './restore/findWrites.js'
import { raiseNonce } from './restore/operatorNonce.js'

/**
 * The gas of a coin payout. The estimate would be higher, because the router insists on gas that it forwards.
 */
const coinPayOutGas = 80_000n
/** The gas that a coin payout costs more if its payee has code: all that the router forwards, and a credit if it refuses. */
const payeeGas = 185_000n
/** How long an empty account is not looked at again, because each look asks the node a dozen questions. */
const unfundedMs = 5_000
/** How long a contract counts as shown: in a sale, every mint asks for the contract of its collection. */
const shownForMs = 1_000
/** The gas of putting money of the treasury at the place of a refund. */
const loanGas = 70_000n
/** The gas of a token payout that first deploys its deposit address, with a margin. */
const tokenPayOutGas = 200_000n

/**
 * Creates the port of an EVM chain: payments found by logs, deliveries and refunds sent through the outbox.
 */
export const createEvmChain = (options: EvmChainOptions): ChainPort => {
  const { chain, chainId, nativeCurrency, confirmations } = options
  const account = privateKeyToAccount(options.operatorKey)
  const deployments = getDeployments(account.address, options.tokens === 'test-tokens')
  const tokens: readonly ChainCurrency[] =
    options.tokens === 'test-tokens' ? getTestTokens(deployments) : options.tokens
  const currencies: readonly ChainCurrency[] = [{ currency: nativeCurrency, decimals: 18 }, ...tokens]
  const router = deployments.router.address
  const depositFactory = deployments.depositFactory.address
  const contracts = { router, depositFactory, currencies }
  const recover = createRecovery(options, account.address)

  const addressOf = ({ key, standard }: CollectionRef): Address =>
    getCollectionAddress(
      deployments.collectionFactory.address,
      deployments.collectionCode[standard].address,
      toReference(key),
    )
  /** Reads what the operator has written that the database does not know. */
  const findWrites = async (client: PublicClient): Promise<FoundWrites> => {
    const collections = (await options.listCollections?.()) ?? []
    return findOperatorWrites(
      { client, db: options.db },
      {
        ...contracts,
        chain,
        operator: account.address,
        collections: collections.map(addressOf),
        collectionFactory: deployments.collectionFactory.address,
      },
    )
  }

  const askFallback = createAskFallback(options)
  const heads = createHeads()
  let connection: ReturnType<typeof connect> | undefined
  let unfunded: { error: UnfundedError; untilMs: number } | undefined
  const connected = (): Promise<Connection> => {
    if (unfunded && Date.now() < unfunded.untilMs) return Promise.reject(unfunded.error)
    connection ??= connect(options, account, deployments, heads, findWrites).catch((error) => {
      connection = undefined
      if (error instanceof UnfundedError) unfunded = { error, untilMs: Date.now() + unfundedMs }
      throw error
    })
    return connection
  }

  const use = async <Result>(work: (opened: Connection) => Promise<Result>): Promise<Result> => {
    const current = connected()
    try {
      return await withNode(chain, async () => work(await current))
    } catch (error) {
      // A node that is back after an outage may have another URL or may have lost data, so the connection is
      // opened again. A node that reports that something is not yet so is reachable.
      const isAway = error instanceof ServiceError && error.isOutage
      if (isAway) options.onAway?.()
      if (isAway && connection === current) connection = undefined
      throw error
    }
  }

  const read = <Result>(work: (client: PublicClient) => Promise<Result>): Promise<Result> =>
    use(({ client }) => work(client))

  /** Reads what needs no contract, so that it is answered also while the operator cannot pay for any. */
  const readBare = async <Result>(work: (client: PublicClient) => Promise<Result>): Promise<Result> => {
    try {
      return await read(work)
    } catch (error) {
      if (!(error instanceof UnfundedError)) throw error
      return withNode(chain, async () => work(await openClient(options)))
    }
  }

  const send = (
    key: string,
    { makeCall, trace, sharing }: Write,
    terms?: WriteOptions,
  ): Promise<WriteResult> =>
    use(async ({ client, outbox }) => {
      const sent = await outbox.send(key, makeCall, { ...terms, sharing })
      const result = trace && sent.status === 'failed' ? await findDone(client, options, trace, sent) : sent
      // Without a signed transaction, another caller could still sign under this key, so the refusal is
      // recorded for every caller.
      return result.status === 'failed' && !result.txId ? outbox.keepRefusal(key, result) : result
    })

  const tokenOf = (currency: string): Address | undefined => {
    const known = currencies.find((each) => each.currency === currency)
    // `undefined` would mean a payment in the native currency.
    if (!known) throw new ServiceError('input-invalid', `${chain} has no currency ${currency}`)
    return known.address === undefined ? undefined : getAddress(known.address)
  }

  const paymentChain = { contracts, chainId, nativeCurrency, tokenOf }

  const shown = new Map<Address, () => Promise<void>>()
  const expectContract = (address: Address): Promise<void> => {
    const look = async (): Promise<void> => {
      if (await read((client) => client.getCode({ address }))) return
      throw new ServiceError('chain-unavailable', `${chain} does not show the contract ${address} yet`, {
        retryAfterSeconds: 5,
      })
    }
    const known = shown.get(address) ?? memoizeAsync(look, shownForMs, Date.now)
    shown.set(address, known)
    return known()
  }

  const getPayOutCall = (key: string, { orderId, currency, units, recipient }: RefundInput): OutboxCall => {
    const token = tokenOf(currency)
    const orderRef = toReference(orderId)
    // The same for every attempt: the contracts pay once per id.
    const payoutId = toReference(firstKey(key))
    const to = getAddress(recipient)
    if (token) {
      const args = [orderRef, payoutId, token, to, units] as const
      return {
        to: depositFactory,
        data: encodeFunctionData({ ...DepositFactory, functionName: 'payOut', args }),
      }
    }
    const args = [orderRef, payoutId, to, units] as const
    return { to: router, data: encodeFunctionData({ ...PaymentRouter, functionName: 'payOut', args }) }
  }

  const getPayOutTrace = (key: string, { orderId, currency, units, recipient }: RefundInput): WriteTrace => {
    const token = tokenOf(currency)
    return payOutTrace(token ? depositFactory : router, token !== undefined, {
      orderRef: toReference(orderId),
      payoutId: toReference(firstKey(key)),
      token,
      to: getAddress(recipient),
      units,
    })
  }

  /**
   * Payouts of one kind and contract share a transaction: the contracts pay once per id. Refunds go to anyone who paid,
   * and a recipient that makes a transaction fail delays no proceeds.
   */
  const sharePayOuts = (kind: 'refund' | 'sweep', currency: string): Sharing => ({
    name: `${kind}:${tokenOf(currency) ? depositFactory : router}`,
    join: (calldata) =>
      encodeFunctionData({ ...PaymentRouter, functionName: 'multicall', args: [[...calldata]] }),
  })

  /** Whether the payee rejected the coins of a payout, according to the transaction's logs. */
  const isCredited = async (key: string, txId: string): Promise<boolean> => {
    const { logs } = await read((client) => client.getTransactionReceipt({ hash: txId as Hex }))
    const args = { payoutId: toReference(firstKey(key)) }
    const asked = encodeEventTopics({ ...PaymentRouter, eventName: 'Credited', args })
    return logs.some(
      ({ address, topics }) =>
        getAddress(address) === router && asked.every((topic, at) => !topic || topics[at] === topic),
    )
  }

  /** Returns the result of a payout: a successful one may have been credited. */
  const toPayOutResult = async (key: string, currency: string, sent: WriteResult): Promise<PayOutResult> => {
    const isSent = sent.status === 'succeeded'
    if (!isSent || tokenOf(currency) || !(await isCredited(key, sent.txId))) return sent
    return { status: 'credited', txId: sent.txId, contract: router }
  }

  const getHeld = (orderId: string, token: Address | undefined): Promise<bigint> =>
    read((client) =>
      token
        ? client.readContract({
            address: token,
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [getCloneAddress(depositFactory, toReference(orderId))],
          })
        : client.readContract({
            address: router,
            ...PaymentRouter,
            functionName: 'held',
            args: [toReference(orderId)],
          }),
    )

  /**
   * Asserts that the contracts hold what is to be paid out. An id pays out once: if a node that is behind shows too
   * little, the rest would stay at the address forever.
   */
  const assertHeld = async (
    orderId: string,
    { currency, units }: Pick<RefundInput, 'currency' | 'units'>,
    trace: WriteTrace,
  ): Promise<void> => {
    const held = await getHeld(orderId, tokenOf(currency))
    if (held >= units || (await read(trace.look)).state !== 'absent') return
    const message = `${chain} shows ${held} of ${units} base units of ${currency} for ${orderId}`
    throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })
  }

  const isServiceAddress: ChainPort['isServiceAddress'] = ({ orderId, address }) => {
    const { collectionFactory, collectionCode } = deployments
    const deployed = [
      collectionFactory,
      ...Object.values(collectionCode),
      ...Object.values(walletDeployments),
    ]
    const tokenAddresses = tokens.flatMap(({ address }) => address ?? [])
    const deposit = getCloneAddress(depositFactory, toReference(orderId))
    const own = [zeroAddress, account.address, router, depositFactory, deposit, ...tokenAddresses]
    return [...own, ...deployed.map((each) => each.address)].some(
      (each) => getAddress(each) === getAddress(address),
    )
  }

  return {
    chain,
    family: 'evm',
    searchesAnyRange: false,
    chainId,
    isLocal: options.isLocal,
    isStarted: options.isStarted ?? (() => true),
    confirmations,
    currencies,
    restore: {
      referencesOf: (key) => [toReference(firstKey(key))],
      orderReferenceOf: toReference,
      find: () => withNode(chain, async () => findWrites(await openClient(options))),
      accept: (tx, { mark }) => raiseNonce(tx, { chain, operator: account.address }, Number(mark)),
    },
    wallets: createWalletPort({ options, account, deployments, currencies, use, read, askFallback }),
    ready: () => use(async () => {}),
    checkTokens: () => withNode(chain, async () => checkTokens(await openClient(options), options)),
    recover: () => use(recover),
    getCaip2: async () => `eip155:${chainId}`,
    getHead: () => readBare(getHead),
    watchHeads: heads.watch,
    getFinalBlock: () => read((client) => readFinalBlock(client, options)),
    getOperatorBalance: () => readBare((client) => client.getBalance({ address: account.address })),
    inspect: () =>
      withNode(chain, async () =>
        inspectNode(await openClient(options), account, listDeployments(deployments)),
      ),
    readRateFeed: (address) => {
      const readFeed = (client: PublicClient) => readRateFeed(client, getAddress(address))
      return askFallback(() => withNode(chain, async () => readFeed(await openClient(options))), readFeed)
    },
    getBlock: (number) => read((client) => getBlock(client, number)),
    findTransactionBlock: (txId) => read((client) => findTransactionBlock(client, txId)),
    traceReported: ({ txId, orderId, currency }) =>
      read((client) => {
        // The order may be paid on another chain, in a currency that this chain lacks.
        const isKnown = currencies.some((each) => each.currency === currency)
        const token = isKnown ? tokenOf(currency) : undefined
        return traceReported(
          client,
          txId,
          token && { token, target: getPaymentTarget(contracts, orderId, token) },
        )
      }),
    paymentTarget: ({ orderId, currency }) => getPaymentTarget(contracts, orderId, tokenOf(currency)),
    preparePayment: (input) => use((connection) => preparePayment(connection, paymentChain, input)),
    estimatePayments: (input) => use((connection) => estimatePayments(connection, paymentChain, input)),
    findPayments: (input) => read((client) => findPayments(client, contracts, input)),
    readArrived: (input) =>
      read((client) => readArrived({ client, db: options.db }, chain, contracts, input)),
    ...createCollectionWrites({
      deployments,
      minter: account.address,
      send,
      expectContract,
      explainRecipient: (token) => use(({ batching }) => explainRecipient(batching, token)),
    }),
    refund: async (key, { isFromTreasury, ...input }, terms) => {
      const { currency, units } = input
      // What the treasury pays leaves from a place of the refund's own, so that it is no payment of the order.
      const orderId = isFromTreasury ? firstKey(key) : input.orderId
      const trace = getPayOutTrace(key, { ...input, orderId })
      const token = tokenOf(currency)
      if (isFromTreasury && (await read(trace.look)).state === 'absent') {
        const lent = await use(({ client, outbox }) =>
          lendToRefund(
            { client, outbox, treasury: account.address, contracts, getHeld },
            key,
            { token, units },
            terms,
          ),
        )
        if (lent?.status === 'failed') return lent
      }
      const makeCall = async () => {
        if (isFromTreasury) await assertHeld(orderId, input, trace)
        return getPayOutCall(key, { ...input, orderId })
      }
      const sharing = sharePayOuts('refund', currency)
      return toPayOutResult(key, currency, await send(key, { makeCall, trace, sharing }, terms))
    },
    payOutCredit: (key, { payOutKey, recipient }, terms) => {
      const payoutId = toReference(firstKey(payOutKey))
      const args = [payoutId, getAddress(recipient)] as const
      const data = encodeFunctionData({ ...PaymentRouter, functionName: 'payOutCredit', args })
      const trace = creditTrace(router, payoutId)
      return send(key, { makeCall: async () => ({ to: router, data }), trace }, terms)
    },
    estimateRefundFee: (input) =>
      use(async ({ client }) => {
        const call = getPayOutCall(`fee:${input.orderId}`, input)
        const estimateTokens = () =>
          client.estimateGas({ account: account.address, ...call }).catch((error) => {
            // The payout would revert. The send finds and records that.
            if (readRevert(error) === undefined) throw error
            return tokenPayOutGas
          })
        const isToken = tokenOf(input.currency) !== undefined
        const estimateCoins = async () => {
          const code = await client.getCode({ address: getAddress(input.recipient) })
          return code === undefined ? coinPayOutGas : coinPayOutGas + payeeGas
        }
        const payOutGas = await (isToken ? estimateTokens() : estimateCoins())
        const gas = input.isFromTreasury ? payOutGas + loanGas : payOutGas
        const { asked } = await readBlockTerms(client)
        return gas * priceOf(asked) + (await readDataFee(client, chainId, { ...call, gas, fees: asked }))
      }),
    sendUnattributed: (key, { orderId, currency, units, recipient }, terms) => {
      const isCoins = currency === nativeCurrency
      if (!isCoins && currencies.some(({ address }) => address?.toLowerCase() === currency.toLowerCase())) {
        throw new ServiceError(
          'input-invalid',
          `currency: ${currency} is accepted for payments, so it is refunded`,
        )
      }
      const orderRef = toReference(orderId)
      const payoutId = toReference(firstKey(key))
      const to = getAddress(recipient)
      const data = isCoins
        ? encodeFunctionData({
            ...DepositFactory,
            functionName: 'payOutCoins',
            args: [orderRef, payoutId, to, units],
          })
        : encodeFunctionData({
            ...DepositFactory,
            functionName: 'payOut',
            args: [orderRef, payoutId, getAddress(currency), to, units],
          })
      const token = isCoins ? undefined : getAddress(currency)
      const trace = payOutTrace(depositFactory, true, { orderRef, payoutId, token, to, units })
      return send(key, { makeCall: async () => ({ to: depositFactory, data }), trace }, terms)
    },
    findCreditPayOut: (payOutKey) =>
      read(async (client) => {
        const trace = creditTrace(router, toReference(firstKey(payOutKey)))
        const done = await findDone(client, options, trace, {
          status: 'failed',
          reason: 'waits to be claimed',
        })
        return done.status === 'succeeded' ? done.txId : undefined
      }),
    sweep: async (key, { orderId, currency, units, recipient = account.address }, terms) => {
      const payOut = { orderId, currency, units, recipient }
      const trace = getPayOutTrace(key, payOut)
      const makeCall = async () => {
        await assertHeld(orderId, { currency, units }, trace)
        return getPayOutCall(key, payOut)
      }
      const sharing = sharePayOuts('sweep', currency)
      return toPayOutResult(key, currency, await send(key, { makeCall, trace, sharing }, terms))
    },
    // A connection deploys missing contracts, and an accounting report must not change anything.
    getStatement: (input) =>
      withNode(chain, async () => {
        const client = await openClient(options)
        return readStatement({ client, db: options.db }, chain, contracts, input)
      }),
    isContract: (address) => read((client) => isContract(client, getAddress(address))),
    isServiceAddress,
    parseAddress,
    isInMerkleTree,
    close: () => {
      heads.close()
      return options.close()
    },
  }
}
