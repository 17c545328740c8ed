import { knownTokens, type Token } from 'kassa/chain'
import { clip } from 'kassa/engine'
import { type EvmChainName, evmChains } from 'kassa/schema'
import { type Address, getAddress, isAddress } from 'viem'
import * as z from 'zod/mini'
import { x402Headers } from '#sale/x402/protocol.js'

const Requirements = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  amount: z.string().check(z.regex(/^\d{1,78}$/)),
  asset: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.number().check(z.positive()),
  extra: z.optional(z.record(z.string(), z.unknown())),
})
type Requirements = z.infer<typeof Requirements>

const PaymentRequired = z.looseObject({
  x402Version: z.literal(2),
  error: z.optional(z.string()),
  resource: z.optional(z.looseObject({})),
  accepts: z.array(z.unknown()),
})

/** A way to pay that this command knows: a transfer of USDC that its payer signs and the seller sends. */
export type Offer = {
  chain: EvmChainName
  chainId: number
  currency: string
  token: Token
  /** The domain of the token's typed data, as the seller names it. With a wrong one, what is signed moves nothing. */
  domain: { name: string; version: string }
  payTo: Address
  /** @units base units of the token */
  units: bigint
  /** How long the seller waits for the payment. @units seconds */
  seconds: number
  /** The way to pay as the seller wrote it, which the payment repeats. */
  accepted: Readonly<Record<string, unknown>>
}

/** What a seller asks for. */
export type Asked = {
  /** The ways to pay that this command knows, the cheapest first. */
  offers: Offer[]
  /** Why it cannot pay the other ways. */
  unknown: string[]
  /** What is sold, as the seller wrote it. */
  resource: Readonly<Record<string, unknown>> | undefined
  error: string | undefined
}

const findChain = (network: string): EvmChainName | undefined =>
  (Object.keys(evmChains) as EvmChainName[]).find((name) => network === `eip155:${evmChains[name].chainId}`)

/** Reads one way to pay, or says why this command cannot pay so. */
const readOffer = (asked: Requirements): Offer | string => {
  const { scheme, network, asset, payTo, extra = {} } = asked
  const place = `${clip(scheme)} on ${clip(network)}`
  const chain = findChain(network)
  if (scheme !== 'exact' || !chain) return `${place}: not a transfer on an EVM chain`
  const { name, version, assetTransferMethod = 'eip3009' } = extra
  if (assetTransferMethod !== 'eip3009') return `${place}: ${clip(String(assetTransferMethod))} is not known`
  const known = Object.entries(knownTokens[chain] ?? {})
  const [currency, token] =
    known.find(([, { address }]) => address.toLowerCase() === asset.toLowerCase()) ?? []
  if (currency === undefined || !token) return `${place}: ${clip(asset)} is not a token that is known`
  if (typeof name !== 'string' || typeof version !== 'string') return `${place}: it does not name its token`
  if (!isAddress(payTo, { strict: false })) return `${place}: payTo is no address`
  return {
    chain,
    chainId: evmChains[chain].chainId,
    currency,
    token,
    domain: { name, version },
    payTo: getAddress(payTo),
    units: BigInt(asked.amount),
    seconds: Math.floor(asked.maxTimeoutSeconds),
    accepted: asked,
  }
}

const decode = (header: string): unknown => {
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * Reads what a seller asks for, from the header of an answer 402.
 *
 * @throws {@link Error} if the answer does not say it in version 2 of x402.
 */
export const readOffers = ({ headers }: Pick<Response, 'headers'>): Asked => {
  const header = headers.get(x402Headers.required)
  const asked = header === null ? undefined : z.safeParse(PaymentRequired, decode(header))
  if (!asked?.success) throw new Error(`it asks for a payment, and not in version 2 of x402`)
  const offers: Offer[] = []
  const unknown: string[] = []
  for (const each of asked.data.accepts) {
    const read = z.safeParse(Requirements, each)
    const offer = read.success ? readOffer(read.data) : 'a way to pay that cannot be read'
    if (typeof offer === 'string') unknown.push(offer)
    else offers.push(offer)
  }
  // Every token that is known is worth a dollar.
  offers.sort((one, other) => Number(one.units - other.units))
  return { offers, unknown, resource: asked.data.resource, error: asked.data.error }
}
