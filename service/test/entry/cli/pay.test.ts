import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, test } from 'vitest'
import { createX402World, printUnits } from '../../helpers/createX402World.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { runCommand } from '../../helpers/runCommand.js'

const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const seller = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const key = generatePrivateKey()

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
const decode = (header: unknown) => JSON.parse(Buffer.from(String(header), 'base64').toString('utf8'))

const requirements = {
  scheme: 'exact',
  network: 'eip155:84532',
  amount: '250000',
  asset: usdc,
  payTo: seller,
  maxTimeoutSeconds: 60,
  extra: { name: 'USDC', version: '2' },
}
const required = (accepts: readonly unknown[]): string =>
  encode({ x402Version: 2, resource: { url: 'https://seller.example' }, accepts })

describe('at a seller of any kind', () => {
  let close = (): void => {}
  afterEach(() => close())

  /** Starts a seller that answers as the test says. The requests that bring a payment are kept. */
  const startSeller = async (
    answer: (response: ServerResponse, payment: string | undefined, count: number) => void,
  ) => {
    const payments: string[] = []
    let count = 0
    const server = createServer((request: IncomingMessage, response) => {
      const header = request.headers['payment-signature']
      if (typeof header === 'string') payments.push(header)
      answer(response, typeof header === 'string' ? header : undefined, count++)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    close = () => void server.close()
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/goods`, payments }
  }

  const ask = (response: ServerResponse, accepts: readonly unknown[] = [requirements]) =>
    void response.writeHead(402, { 'PAYMENT-REQUIRED': required(accepts) }).end('{}')
  const pay = (url: string, ...args: string[]) => runCommand({ KASSA_PAYER_KEY: key }, 'pay', url, ...args)

  test('default: what is asked for is signed once, and its answer printed', async () => {
    const { url, payments } = await startSeller((response, payment) => {
      if (!payment) return ask(response)
      const settled = { success: true, transaction: '0xfeed' }
      response.writeHead(200, { 'PAYMENT-RESPONSE': encode(settled) }).end('the goods')
    })
    const { status, out, err } = await pay(url)
    expect({ status, out }).toEqual({ status: 0, out: 'the goods\n' })
    expect(err).toContain('0.25 USDC on Base Sepolia')
    expect(err).toContain('by transaction 0xfeed')
    expect(payments).toHaveLength(1)
    const { accepted, payload, resource } = decode(payments[0])
    expect({ accepted, resource }).toEqual({
      accepted: requirements,
      resource: { url: 'https://seller.example' },
    })
    expect(payload.authorization).toMatchObject({
      from: privateKeyToAccount(key).address,
      to: seller,
      value: '250000',
    })
    expect(Number(payload.authorization.validBefore) * 1000 - Date.now()).toBeLessThanOrEqual(60_000)
    expect(err + out).not.toContain(key)
  })

  test('behavior: a dry run signs nothing, and needs no key', async () => {
    const { url, payments } = await startSeller((response) => ask(response))
    const { status, out } = await runCommand({}, 'pay', url, '--dry-run')
    expect(status).toBe(0)
    for (const told of ['0.25 USDC on Base Sepolia', usdc, seller, '250000 base units', 'Nothing was signed'])
      expect(out).toContain(told)
    const data = await runCommand({}, 'pay', url, '--dry-run', '--json')
    expect(JSON.parse(data.out)).toMatchObject({
      primaryType: 'TransferWithAuthorization',
      message: { to: seller },
    })
    expect(payments).toEqual([])
  })

  test('behavior: the cheapest way is taken, of the chain that was chosen', async () => {
    const base = {
      ...requirements,
      network: 'eip155:80002',
      asset: '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582',
      amount: '240000',
    }
    const { url } = await startSeller((response) => ask(response, [requirements, base]))
    expect((await pay(url, '--dry-run')).out).toContain('0.24 USDC on Polygon Amoy')
    expect((await pay(url, '--dry-run', '--chain', 'base-sepolia')).out).toContain(
      '0.25 USDC on Base Sepolia',
    )
  })

  test('behavior: the same payment is sent again until there is a decision', async () => {
    const { url, payments } = await startSeller((response, payment, count) => {
      if (!payment) return ask(response)
      if (count === 1) return void response.destroy()
      if (count === 2) return void response.writeHead(504).end('{"message":"no block yet"}')
      response.writeHead(200).end('the goods')
    })
    const { status, err } = await pay(url)
    expect(status).toBe(0)
    expect(err).toContain('no block yet')
    expect(payments).toHaveLength(3)
    expect(new Set(payments).size).toBe(1)
  })

  test('behavior: a refusal after a lost answer says that the money may have moved', async () => {
    const { url } = await startSeller((response, payment, count) => {
      if (!payment) return ask(response)
      if (count === 1) return void response.destroy()
      const refused = { success: false, errorReason: 'invalid_exact_evm_nonce_already_used' }
      response.writeHead(402, { 'PAYMENT-RESPONSE': encode(refused) }).end('{}')
    })
    const { status, err } = await pay(url)
    expect(status).toBe(1)
    expect(err).toMatch(
      /refused: invalid_exact_evm_nonce_already_used\. The payment with the nonce 0x[0-9a-f]{64} may/,
    )
  })

  test('behavior: what costs nothing is not paid for', async () => {
    const { url, payments } = await startSeller((response) => void response.end('free'))
    expect(await pay(url)).toEqual({ status: 0, out: 'free\n', err: 'There is nothing to pay.\n' })
    expect(payments).toEqual([])
  })

  test('error: more than the limit', async () => {
    const { url, payments } = await startSeller((response) =>
      ask(response, [{ ...requirements, amount: '1000001' }]),
    )
    const { status, err } = await pay(url)
    expect({ status, err }).toEqual({
      status: 1,
      err: 'kassa-service: it costs 1.000001 USDC, more than --limit 1 allows. Nothing was signed\n',
    })
    expect((await pay(url, '--limit', '1.000001', '--dry-run')).status).toBe(0)
    expect(payments).toEqual([])
  })

  test.each<[string, unknown, string]>([
    ['another scheme', { ...requirements, scheme: 'upto' }, 'upto on eip155:84532'],
    [
      'another family of chains',
      { ...requirements, network: 'solana:devnet' },
      'not a transfer on an EVM chain',
    ],
    ['a token that nobody knows', { ...requirements, asset: seller }, 'is not a token that is known'],
    ['no name of the token', { ...requirements, extra: {} }, 'does not name its token'],
    [
      'another method',
      { ...requirements, extra: { assetTransferMethod: 'permit2' } },
      'permit2 is not known',
    ],
    ['no address', { ...requirements, payTo: 'me' }, 'payTo is no address'],
    ['an amount that is none', { ...requirements, amount: '-1' }, 'cannot be read'],
    ['nothing', null, 'cannot be read'],
  ])('error: %s is paid in no way', async (_, offer, said) => {
    const { url, payments } = await startSeller((response) => ask(response, [offer]))
    const { status, err } = await pay(url)
    expect(status).toBe(1)
    expect(err).toContain(said)
    expect(payments).toEqual([])
  })

  test('error: an answer that leads elsewhere, a version that is not known, an error of the seller', async () => {
    const away = await startSeller(
      (response) => void response.writeHead(302, { location: 'https://other.example' }).end(),
    )
    expect((await pay(away.url)).status).toBe(1)
    close()
    const old = await startSeller((response) => void response.writeHead(402).end('{"x402Version":1}'))
    expect((await pay(old.url)).err).toContain('not in version 2 of x402')
    close()
    const broken = await startSeller(
      (response) => void response.writeHead(404).end('{"message":"no such goods"}'),
    )
    expect((await pay(broken.url)).err).toContain('the seller answered 404 no such goods')
  })

  test.each<[string, string[], Record<string, string>, string]>([
    ['no URL', [], {}, 'expected one URL'],
    ['http of another machine', ['http://seller.example'], {}, 'expected an https URL'],
    ['another protocol', ['ftp://seller.example'], {}, 'expected an https URL'],
    ['no URL at all', ['goods'], {}, 'expected an https URL'],
    ['no key', ['https://seller.example'], {}, 'KASSA_PAYER_KEY: required'],
    ['half a key', ['https://seller.example'], { KASSA_PAYER_KEY: '0x1234' }, 'expected 0x and 64'],
    ['a limit with a comma', ['https://seller.example', '--limit', '1,5'], {}, '--limit: expected an amount'],
    ['another method', ['https://seller.example', '--method', 'PUT'], {}, '--method: expected GET or POST'],
  ])('error: %s', async (_, args, env, said) => {
    const { status, err } = await runCommand(env, 'pay', ...args)
    expect(status).toBe(2)
    expect(err).toContain(said)
  })
})

describe('at this service', () => {
  const world = openBeforeAll(createX402World)

  test('default: a collection is bought from an account without coins, and delivered', async () => {
    const buyer = await world.createSigner(['usdc'], 10n * printUnits)
    const pay = (url: string) => runCommand({ KASSA_PAYER_KEY: buyer.key }, 'pay', url)
    const { status, out, err } = await pay(world.collectionUrl())
    expect(status, err).toBe(0)
    expect(out).toMatch(new RegExp(`^delivered base-sepolia:0x\\w{40}:\\d+ to ${buyer.address}$`, 'm'))
    // The same through a line that loses the answer: it is paid for once.
    world.relay.state.dropAnswers = 1
    const lost = await pay(world.collectionUrl().replace(/:\d+/, `:${world.relay.port}`))
    expect(lost.status, lost.err).toBe(0)
    expect(lost.err).toContain('sending the same payment again')
    expect(await world.balanceOf('usdc', buyer.address)).toBe(8n * printUnits)
    expect(await world.differing()).toEqual([])
  })
})
