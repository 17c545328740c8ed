import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect } from 'vitest'
import { createClient, mintNft, waitForAction } from '../../src/api/index.js'
import { createTestService } from '../../src/testing/index.js'
import type { Shop } from '../helpers/createShop.js'
import { useShop } from '../helpers/useShop.js'

export type Answer = { status: number; body: unknown }
export type Call = {
  method?: string
  body?: unknown
  text?: string
  headers?: Record<string, string>
}
export type GivenPlace = { contractAddress: string; tokenId: string }

/** A service, real or not, and what a test can do to it. */
export type World = {
  fetch: typeof fetch
  baseUrl: string
  serverKey: string
  clientKey: string
  giveToken(recipient: string): Promise<GivenPlace>
  setBalance(address: string, wei: bigint): Promise<void>
  advance(ms: number): Promise<void>
  /** Lets the service and its chain go on a little. */
  wait(): Promise<void>
}

const goods = {
  id: 'dunes',
  name: 'Dunes',
  description: 'Sand at dusk',
  imageUrl: 'ipfs://picture',
  price: '0.01',
}
/** Whom the allow-list of a sale names. */
export const member = '0x2222222222222222222222222222222222222222'
/** The rules of a sale that both services have. */
export const sale = {
  phases: [
    { name: 'Members', allowList: { addresses: [member] } },
    { name: 'Everyone', startsAt: '2099-01-01T00:00:00Z' },
  ],
  maxPerBuyer: { wallet: 2 },
  promotionCodes: [
    { code: 'SPRING', percent: '50', limit: 1 },
    { code: 'WINTER', percent: '10', expiresAt: '2020-01-01T00:00:00Z' },
  ],
}
const ticket = { name: 'Ticket', description: 'For one' }

export const openReal = (shop: Shop): World => {
  const { baseUrl, serverKey, fetch } = shop.address
  const merchant = createClient({ baseUrl, apiKey: serverKey, fetch })
  return {
    fetch: (input, init) => Promise.resolve(shop.service.app.request(String(input), init)),
    baseUrl,
    serverKey,
    clientKey: shop.service.clientKey,
    giveToken: async (recipient) => {
      const to = recipient.startsWith('0x')
        ? `base-sepolia:${recipient}`
        : (`${recipient}:base-sepolia` as const)
      const metadata = { ...ticket, image: 'ipfs://picture' }
      const body = { recipient: to, metadata, reuploadLinkedFiles: false }
      const { actionId = '', onChain } = await mintNft(merchant, { collectionId: 'dunes', body })
      const { data } = await waitForAction(merchant, { actionId })
      return { contractAddress: onChain.contractAddress ?? '', tokenId: data.token?.tokenId ?? '' }
    },
    setBalance: async (address, value) =>
      shop.world.client.setBalance({ address: address as `0x${string}`, value }),
    advance: shop.service.advance,
    wait: () => sleep(50),
  }
}

/** Creates the test service with the collections that the real one has. */
export const createDunesService = () =>
  createTestService({
    collections: [goods, { ...goods, id: 'gift', price: '0' }, { ...goods, id: 'drop', sale }],
    chains: ['base-sepolia'],
  })

export const openTest = (service = createDunesService()): World => ({
  fetch: service.fetch,
  baseUrl: service.baseUrl,
  serverKey: service.serverKey,
  clientKey: service.clientKey,
  giveToken: async (recipient) => service.giveToken(recipient, ticket),
  setBalance: async (address, wei) => service.setBalance(address, 'eth', `${wei / 10n ** 18n}`),
  advance: async (ms) => service.advance(ms),
  wait: async () => service.advance(1_000),
})

const lowest = (bits: bigint): bigint => 2n ** bits - 1n

/** What differs from one service to another though they do the same, by the field it stands in. */
const hideField = (key: string, value: unknown): unknown => {
  if (key === 'tokenId') return '<token>'
  if (key === 'signature' || key === 'proofValue') return `<${String(value).length} characters>`
  if (/Gas(Limit)?$/.test(key)) return '<gas>'
  // The deadline is in its upper 48 bits.
  if (key === 'nonce') return String(BigInt(String(value)) & lowest(208n))
  return hide(value)
}

const hideText = (text: string): string =>
  text
    .replace(/0x([0-9a-fA-F]{8})[0-9a-fA-F]{64,}/g, (data, name) => `<${name}, ${data.length} digits>`)
    .replace(/0x[0-9a-fA-F]{64}/g, '<hash>')
    .replace(/0x[0-9a-fA-F]{40}/g, '<address>')
    .replace(/<address>:\d+/g, '<address>:<token>')
    .replace(/(ERC721\w+\((?:<address>, )?)\d+/g, '$1<token>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')

/** The service shows its local chains in an explorer of its own. Those of the test service have none. */
export const listFields = (answer: object): [string, unknown][] =>
  Object.entries(answer).filter(([name]) => name !== 'explorerLink')

/** An answer without what differs by chance. */
export const hide = (value: unknown): unknown => {
  if (typeof value === 'string') return hideText(value)
  if (Array.isArray(value)) return value.map(hide)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(listFields(value).map(([key, inner]) => [key, hideField(key, inner)]))
}

/** Talks to a service as a server does, and writes down what it said. */
export const openLog = (world: World) => {
  const log: [step: string, answer: unknown][] = []
  const send = async (path: string, call: Call = {}): Promise<Answer> => {
    const { method = 'GET', body, headers } = call
    const text = call.text ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await world.fetch(`${world.baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': world.serverKey, ...headers },
      ...(text !== undefined && { body: text }),
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const ask = async (step: string, path: string, call: Call = {}): Promise<Answer> => {
    const answer = await send(path, call)
    log.push([step, hide(answer)])
    return answer
  }
  const post = (step: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(step, path, { method: 'POST', body, headers })
  return { log, send, ask, post }
}
export type Log = ReturnType<typeof openLog>

/** Opens the real service and the test service. Returns a function that does the same to both and compares their answers. */
export const useTwoServices = () => {
  const shop = useShop()
  let worlds: World[]
  beforeAll(() => {
    worlds = [openReal(shop), openTest()]
  })
  return async (act: (world: World, log: Log) => Promise<void>): Promise<void> => {
    const [real, tested] = await Promise.all(
      worlds.map(async (world) => {
        const log = openLog(world)
        await act(world, log)
        return log.log
      }),
    )
    expect(real?.length).toBeGreaterThan(0)
    expect(tested).toEqual(real)
  }
}
