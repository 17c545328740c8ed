import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../src/api/index.js'
import { decodeMessage } from '../../src/chain/solana/message.js'
import { openNode } from '../../src/pay/solana/node.js'
import { solana } from '../../src/solana/index.js'
import { createWindow } from '../helpers/browserWindow.js'
import { appOf, createSolanaBuyer, solanaOf } from '../helpers/createSolanaBuyer.js'
import { signatureOf } from '../helpers/scriptedSolanaWallet.js'
import { createRequests } from './askedWallet.js'
import type { Gate } from './gate.js'
import { readWhole } from './line.js'
import { patienceMs, type Side, type SideParameters } from './side.js'

const startLamports = 10n * 10n ** 9n
const startTokens = 1_000_000_000n
const prices = { sol: 500_000_000n, usdc: 75_000_000n }
/** For how many blocks a message is valid. */
const lifetime = 150n
const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

/** Opens a purchase that is paid on Solana, by a wallet that sends or by one that only signs. */
export const openSolanaSide = async ({ shop, random, clock, note }: SideParameters): Promise<Side> => {
  const currency = random.choose({ sol: 70, usdc: 30 })
  const isSigningOnly = random.chance(0.4)
  const buyer = await createSolanaBuyer(shop, { currency, isSigningOnly, lamports: startLamports })
  const { key, wallet, orderId, clientSecret, storage, config } = buyer
  const { node } = solanaOf(shop)
  const { cluster } = node
  note(`order ${orderId} in ${currency} on solana, ${isSigningOnly ? 'signed only' : 'sent'} by the wallet`)
  const requests = createRequests(clock, random.fork('wallet'), note)
  const client = createClient({
    baseUrl: shop.address.baseUrl,
    ...(shop.address.fetch && { fetch: shop.address.fetch }),
  })
  const chain = openNode(node.rpcUrl)

  /** Whether no block can take in a message any more, and none that is not final has it. */
  const isOver = (message: Uint8Array): boolean => {
    const { blockhash } = decodeMessage(message)
    const signature = signatureOf(key.sign(message))
    const landed = cluster.findTransaction(signature, 'processed')
    if (landed)
      return landed.error !== undefined && cluster.findTransaction(signature, 'finalized') !== undefined
    const named = cluster
      .listBlocks(0n, cluster.slotAt('processed'))
      .find((block) => block.blockhash === blockhash)
    return named === undefined || cluster.blockAt('finalized').height > named.height + lifetime
  }

  /** The wallet as one page sees it. */
  const gateWallet = (gate: Gate): typeof wallet.wallet => {
    const sends = wallet.wallet.features['solana:signAndSendTransaction']
    const signs = wallet.wallet.features['solana:signTransaction']
    const texts = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
    const ask = async <Output>(transaction: Uint8Array, answer: () => Promise<Output>): Promise<Output> => {
      const message = transaction.slice(65)
      let output: Output | undefined
      const signature = texts(key.sign(message).slice(1, 65))
      await gate.ask('wallet', () =>
        requests.ask(
          gate,
          async () => {
            if (!isSigningOnly) await requests.relay(signature, () => answer().then(() => signature))
            output = await answerOf(answer, message)
            return signatureOf(key.sign(message))
          },
          { isOver: () => isOver(message), isSigningOnly },
        ),
      )
      if (output === undefined) throw new Error('the wallet gave nothing')
      return output
    }
    /** What a wallet that sends has sent is answered at once; its own node may pass it on later. */
    const answerOf = async <Output>(answer: () => Promise<Output>, message: Uint8Array): Promise<Output> =>
      isSigningOnly ? answer() : ([{ signature: key.sign(message).slice(1, 65) }] as Output)
    return {
      ...wallet.wallet,
      features: {
        ...wallet.wallet.features,
        'standard:connect': {
          connect: (input) =>
            gate.ask('connect', () =>
              clock.during(
                async () =>
                  (await wallet.wallet.features['standard:connect']?.connect(input)) ?? { accounts: [] },
              ),
            ),
        },
        ...(sends && {
          'solana:signAndSendTransaction': {
            signAndSendTransaction: (input: Parameters<typeof sends.signAndSendTransaction>[0]) =>
              ask(input.transaction, () => sends.signAndSendTransaction(input)),
          },
        }),
        ...(signs && {
          'solana:signTransaction': {
            signTransaction: (input: Parameters<typeof signs.signTransaction>[0]) =>
              ask(input.transaction, () => signs.signTransaction(input)),
          },
        }),
      },
    }
  }

  const landed = () =>
    cluster.listTransactions(key.address, 'processed').filter(({ accounts }) => accounts[0] === key.address)

  return {
    orderId,
    clientSecret,
    client,
    storage,
    requests,
    openChains: (gate, name) => {
      const stored = {
        getItem: storage.getItem,
        setItem: (each: string, value: string) => (gate.isGone ? undefined : storage.setItem(each, value)),
        removeItem: (each: string) => (gate.isGone ? undefined : storage.removeItem(each)),
      }
      const app = solana({
        ...appOf(shop),
        storage: stored,
        fetch: (input, init) => {
          const { method } = JSON.parse(String(init?.body)) as { method: string }
          return gate.ask(`node ${method}`, () => clock.during(() => readWhole(fetch(input, init))))
        },
      })
      const browser = createWindow()
      browser.announce(gateWallet(gate))
      browser.inside(() => app.wallets.subscribe(() => {}))
      const { status, wallets } = app.wallets.getState()
      const [found] = wallets
      // After a reload it is connected again.
      if (found && status === 'disconnected') {
        app.wallets.connect(found).catch((error) => note(`${name}: not connected: ${error}`))
      }
      return { config, solana: app }
    },
    settle: async () => {
      const signed = wallet.asked
      const isDone = (message: Uint8Array): boolean =>
        cluster.findTransaction(signatureOf(key.sign(message)), 'finalized') !== undefined || isOver(message)
      while (!signed.every(isDone)) await sleep(100)
    },
    countPayments: async () => buyer.listPayments().length,
    countDelivered: async () => {
      const response = await fetch(node.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'getTokenAccountsByOwner',
          params: [key.address, { programId: token2022 }, { commitment: 'confirmed', encoding: 'base64' }],
        }),
      })
      const { result } = (await response.json()) as { result: { value: unknown[] } }
      return result.value.length
    },
    findMissingMoney: async () => {
      // All but one payment comes back.
      const tokens = appOf(shop).tokens?.usdc?.address ?? ''
      const read = async () => ({
        lamports: await chain.getBalance(key.address),
        tokens: currency === 'usdc' ? await chain.getTokenBalance(key.address, tokens) : 0n,
      })
      const expect = () => {
        const fees = landed().reduce((sum, { fee }) => sum + fee, 0n)
        return currency === 'usdc'
          ? { lamports: startLamports - fees, tokens: startTokens - prices.usdc }
          : { lamports: startLamports - fees - prices.sol, tokens: 0n }
      }
      const endMs = Date.now() + patienceMs
      for (;;) {
        const [actual, expected] = [await read(), expect()]
        if (actual.lamports === expected.lamports && actual.tokens === expected.tokens) return undefined
        const show = (kept: typeof actual): string =>
          `${kept.lamports} lamports and ${kept.tokens} of a token`
        if (Date.now() > endMs) return `the buyer has ${show(actual)} instead of ${show(expected)}`
        await sleep(100)
      }
    },
  }
}
