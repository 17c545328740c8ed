import { expect, test } from 'vitest'
import { decodeBase58, encodeBase58 } from '../../src/engine/solana/base58.js'
import type { Order, Transaction, Wallet, WalletToken } from '../../src/schema/index.js'
import {
  hide,
  type Log,
  payWith,
  sign,
  transferSol,
  useTwoSolanaServices,
  type World,
  writeMessage,
} from './twoSolanaServices.js'

const sol = 1_000_000_000n
const orders = '/2022-06-09/orders'
const wallets = '/2022-06-09/wallets'
const recipient = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
const evmAddress = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const lineItems = { collectionLocator: 'kassa:tea' }

const compare = useTwoSolanaServices()

const createPayer = async ({ fund, createAccount }: World) => {
  const account = createAccount()
  await fund(account.address, 'sol', 100n * sol)
  await fund(account.address, 'usdc', 10n ** 10n)
  return account
}

const payment = (payerAddress: string, currency = 'sol') => ({ method: 'solana', currency, payerAddress })

type Body = { order: Order }

/** Follows an order until it is in a state. */
const follow = async ({ wait }: World, { send }: Log, orderId: string, isMet: (order: Order) => boolean) => {
  for (;;) {
    const { body } = await send(`${orders}/${orderId}`)
    if (isMet(body as Order)) return body as Order
    await wait()
  }
}

test('behavior: orders are quoted and prepared alike', () =>
  compare(async (world, { post, ask }) => {
    const payer = await createPayer(world)
    const pauper = world.createAccount()
    const body = { recipient: { walletAddress: recipient }, lineItems, payment: payment(payer.address) }
    const made = await post('in SOL', orders, body)
    await post('in USDC', orders, { ...body, payment: payment(payer.address, 'USDC') })
    await post('in USDXM, which the payer lacks', orders, {
      ...body,
      payment: payment(payer.address, 'usdxm'),
    })
    await post('by e-mail', orders, { ...body, recipient: { email: 'ada@example.com' } })
    await post('without a payer', orders, { ...body, payment: { method: 'solana', currency: 'sol' } })
    const { order } = made.body as Body
    const path = `${orders}/${order.orderId}`
    await world.fund(pauper.address, 'sol', sol / 10n)
    const edit = (step: string, change: object) => ask(step, path, { method: 'PATCH', body: change })
    await edit('a payer with too little', { payment: payment(pauper.address) })
    await world.fund(pauper.address, 'sol', (4n * sol) / 10n)
    await edit('a payer with too little for the fee', { payment: payment(pauper.address) })
    await edit('another payer', { payment: payment(payer.address) })
    await post('refreshed', `${path}/refresh`, {})
    const list = (step: string, account?: string) =>
      ask(step, `${path}/payment-options${account === undefined ? '' : `?payerAddress=${account}`}`)
    await list('ways to pay')
    await list('ways to pay with too little', pauper.address)
    await ask('read', path)
  }))

test('behavior: orders that cannot be are refused in the same words', () =>
  compare(async (world, log) => {
    const payer = await createPayer(world)
    const post = async (step: string, path: string, body: object) =>
      expect((await log.post(step, path, body)).status).toBeGreaterThanOrEqual(400)
    const body = { recipient: { walletAddress: recipient }, lineItems, payment: payment(payer.address) }
    await post('an EVM recipient', orders, { ...body, recipient: { walletAddress: evmAddress } })
    await post('a short recipient', orders, { ...body, recipient: { walletAddress: recipient.slice(0, 40) } })
    await post('an EVM payer', orders, { ...body, payment: payment(evmAddress) })
    await post('no payer', orders, { ...body, payment: payment('ada') })
    await post('ETH', orders, { ...body, payment: payment(payer.address, 'eth') })
    await post('a chain not here', orders, { ...body, payment: { method: 'polygon', currency: 'pol' } })
    await post('Aptos', orders, { ...body, payment: { method: 'aptos', currency: 'apt' } })
    await post('no such collection', orders, { ...body, lineItems: { collectionLocator: 'kassa:coffee' } })
  }))

test.each(['sol', 'usdc'])('behavior: an order is paid in %s and delivered alike', (currency) =>
  compare(async (world, log) => {
    const payer = await createPayer(world)
    const body = {
      recipient: { walletAddress: recipient },
      lineItems,
      payment: payment(payer.address, currency),
    }
    const { body: made } = await log.post('created', orders, body)
    const { order } = made as Body
    await payWith(world, payer.privateKey, order)
    const done = await follow(world, log, order.orderId, ({ phase }) => phase === 'completed')
    log.log.push(['done', hide(done)])
    const { mintHash, locator } = done.lineItems[0]?.delivery.tokens?.[0] ?? {}
    log.log.push(['its token', locator === `solana:${mintHash}`])
  }),
)

test('behavior: too little waits, then goes back, and what is for an e-mail address goes to a wallet there', () =>
  compare(async (world, log) => {
    const payer = await createPayer(world)
    const email = 'emil@example.com'
    const body = { recipient: { email }, lineItems, payment: payment(payer.address, 'usdc') }
    const { body: made } = await log.post('created', orders, body)
    const { order } = made as Body
    const { serializedTransaction = '' } = order.payment.preparation ?? {}
    const wanted = 75_000_000n.toString(16)
    expect(Buffer.from(serializedTransaction, 'base64').toString('hex')).toContain(
      Buffer.from(wanted.padStart(8, '0'), 'hex').reverse().toString('hex'),
    )
    await payWith(world, payer.privateKey, order, (message) => {
      const hex = Buffer.from(message).toString('hex')
      // The amount, the lowest byte first: 75 and then 1 USDC.
      return Uint8Array.from(Buffer.from(hex.replace('c0687804', '40420f00'), 'hex'))
    })
    const waiting = await follow(world, log, order.orderId, ({ payment: { remaining, preparation } }) => {
      return remaining !== undefined && preparation?.serializedTransaction !== undefined
    })
    log.log.push(['waiting', hide(waiting)])
    await payWith(world, payer.privateKey, order)
    const isOver = ({ phase, payment: { refunded } }: Order) =>
      phase === 'completed' && refunded !== undefined
    const done = await follow(world, log, order.orderId, isOver)
    log.log.push(['done', hide(done)])
    await log.ask('the wallet', `${wallets}/email:${email}:solana-mpc-wallet`)
    const { body: tokens } = await log.ask('its tokens', `${wallets}/email:${email}:solana/nfts`)
    log.log.push(['one', (tokens as WalletToken[]).length])
  }))

test('behavior: wallets, balances and tokens are the same', () =>
  compare(async (world, { post, ask }) => {
    const type = 'solana-mpc-wallet'
    const linkedUser = 'email:Bea@example.com'
    const made = await post('made', wallets, { type, linkedUser })
    await post('again', wallets, { type, linkedUser: 'email:bea@example.com' })
    await post('custodial', wallets, { type, config: { adminSigner: { type: 'solana-kassa-custodial' } } })
    const adminSigner = { type: 'solana-kassa-custodial', address: recipient }
    await post('a custodian’s address', wallets, { type, config: { adminSigner } })
    await post('an EVM signer', wallets, {
      type,
      config: { adminSigner: { type: 'evm-keypair', address: evmAddress } },
    })
    await post('a smart wallet', wallets, { type: 'solana-smart-wallet', linkedUser })
    const { address } = made.body as Wallet
    await ask('by user', `${wallets}/email:bea@example.com:solana-mpc-wallet`)
    await ask('by address', `${wallets}/${address}`)
    await ask('another’s', `${wallets}/${recipient}`)
    await ask('no smart wallet', `${wallets}/email:bea@example.com:solana-smart-wallet`)

    const balances = `/v1-alpha2/wallets/${address}/balances`
    await ask('empty', balances)
    await post('funded', balances, { token: 'usdc', amount: 2.5, chain: 'solana' })
    await ask('richer', `${balances}?tokens=sol,usdc&chains=solana`)
    await post('an EVM chain', balances, { token: 'usdc', amount: 2.5, chain: 'base-sepolia' })
    await ask('balances on an EVM chain', `${balances}?chains=base-sepolia`)
    await post('an EVM wallet', wallets, { type: 'evm-mpc-wallet', linkedUser })
    await ask(
      'an EVM wallet on Solana',
      '/v1-alpha2/wallets/email:bea@example.com:evm-mpc-wallet/balances?chains=solana',
    )

    const nfts = `${wallets}/email:bea@example.com:solana/nfts`
    await ask('no tokens', nfts)
    const mint = await world.giveToken('email:bea@example.com')
    await world.giveToken(address)
    await ask('tokens', nfts)
    await ask('a page', `${nfts}?perPage=1&page=2`)
    await ask('no more', `${nfts}?page=3`)
    await ask('by address', `${wallets}/solana:${address}/nfts`)
    await ask('no address', `${wallets}/solana:${evmAddress}/nfts`)
    const credentials = (locator: string) => `/v1-alpha1/nfts/${locator}/credentials`
    const issued = await ask('credential', credentials(`solana:${mint}`))
    expect(issued.status).toBe(200)
    await ask('no such token', credentials(`solana:${recipient}`))
    await ask('no mint', credentials(`solana:${evmAddress}`))
  }))

/** A wallet with coins, and what it is asked. */
const openWallet = async (world: World, log: Log) => {
  const { body } = await log.send(wallets, { method: 'POST', body: { type: 'solana-mpc-wallet' } })
  const { address } = body as Wallet
  await world.fund(address, 'sol', 10n * sol)
  const path = `${wallets}/${address}/transactions`
  const create = async (step: string, params: object) =>
    (await log.post(step, path, { params })).body as Transaction
  const end = async (step: string, { id }: Transaction) => {
    for (;;) {
      const { body: seen } = await log.send(`${path}/${id}`)
      const transaction = seen as Transaction
      if (transaction.status === 'success' || transaction.status === 'failed') {
        log.log.push([step, hide(transaction)])
        return
      }
      await world.wait()
    }
  }
  return { address, path, create, end }
}

test('behavior: a wallet sends a transaction of its own', () =>
  compare(async (world, log) => {
    const wallet = await openWallet(world, log)
    const [friend, stranger] = [world.createAccount(), world.createAccount()]
    const transfer = (units: bigint, { address } = friend) =>
      writeMessage(world, wallet.address, [transferSol(wallet.address, address, units)])
    const created = await wallet.create('created', { transaction: await transfer(2n * sol) })
    await wallet.end('done', created)
    await wallet.create('too much', { transaction: await transfer(100n * sol) })
    await log.ask('listed', wallet.path)
    await log.ask('balance', `/v1-alpha2/wallets/${wallet.address}/balances?tokens=sol`)
    await log.post('no approval', `${wallet.path}/${created.id}/approvals`, { approvals: [] })
    // Each alone is covered, and both are not. Which of them lands first is left to chance.
    const [one, other] = [await transfer(5n * sol, friend), await transfer(5n * sol, stranger)]
    const both = [
      await wallet.create('one', { transaction: one }),
      await wallet.create('other', { transaction: other }),
    ]
    for (const transaction of both) await wallet.end('ended', transaction)
    const ended = log.log.splice(-both.length)
    log.log.push(...ended.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))))
  }))

test('behavior: the others who sign approve it', () =>
  compare(async (world, log) => {
    const wallet = await openWallet(world, log)
    const friends = [world.createAccount(), world.createAccount()]
    for (const { address } of friends) await world.fund(address, 'sol', 5n * sol)
    const transaction = await writeMessage(
      world,
      wallet.address,
      friends.map(({ address }) => transferSol(address, wallet.address, sol)),
    )
    const requiredSigners = friends.map(({ address }) => `solana-keypair:${address}`)
    await wallet.create('no signer named', { transaction })
    await wallet.create('a stranger named', {
      transaction,
      requiredSigners: [...requiredSigners, `solana-keypair:${recipient}`],
    })
    const created = await wallet.create('created', { transaction, requiredSigners })
    const path = `${wallet.path}/${created.id}/approvals`
    const message = decodeBase58(created.approvals?.pending?.[0]?.message ?? '') ?? new Uint8Array()
    const [first, second] = friends.map(({ address, privateKey }) => ({
      signer: `solana-keypair:${address}`,
      signature: encodeBase58(sign(privateKey, message)),
    }))
    const forged = encodeBase58(sign(world.createAccount().privateKey, message))
    const approve = (step: string, ...approvals: unknown[]) => log.post(step, path, { approvals })
    await approve('none')
    await approve('forged', { ...first, signature: forged })
    await approve('a stranger', { signer: `solana-keypair:${recipient}`, signature: forged })
    await approve('twice at once', first, first)
    await approve('the first', first)
    await approve('the first again', first)
    await log.ask('waits', `${wallet.path}/${created.id}`)
    await approve('the second', second)
    await wallet.end('done', created)
    await approve('too late', second)
    await log.ask('listed', wallet.path)
  }))

test('behavior: transactions that no wallet signs are refused in the same words', () =>
  compare(async (world, log) => {
    const wallet = await openWallet(world, log)
    const friend = world.createAccount()
    const own = transferSol(wallet.address, friend.address, sol)
    const transaction = await writeMessage(world, wallet.address, [own])
    await wallet.create('no base58', { transaction: '0OIl' })
    await wallet.create('a number', { transaction: '1' })
    await wallet.create('nines', { transaction: encodeBase58(new Uint8Array(100).fill(9)) })
    await wallet.create('nothing', { transaction: '' })
    await wallet.create('another form', { calls: [], chain: 'base-sepolia' })
    const bytes = decodeBase58(transaction) ?? new Uint8Array()
    await wallet.create('bytes after it', { transaction: encodeBase58(Uint8Array.from([...bytes, 0])) })
    const signed = Uint8Array.from(bytes)
    signed.set(sign(friend.privateKey, bytes.slice(65)), 1)
    await wallet.create('signed', { transaction: encodeBase58(signed) })
    const foreign = await writeMessage(world, friend.address, [
      transferSol(friend.address, wallet.address, sol),
    ])
    await wallet.create('another fee payer', { transaction: foreign })
    const nonce = { ...own, data: [4, 0, 0, 0] }
    await wallet.create('a durable nonce', {
      transaction: await writeMessage(world, wallet.address, [nonce]),
    })
    await wallet.create('a signer too many', {
      transaction,
      requiredSigners: [`solana-keypair:${friend.address}`],
    })
    await world.skipBlocks()
    await wallet.create('a blockhash that is gone', { transaction })
  }))
