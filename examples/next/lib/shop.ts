import type { Amount, LineItem, PaymentRules } from 'kassa'
import { evmChains, isEvmChainName } from 'kassa/schema'
import { cache } from 'react'
import { getOrigin, readEnvironment } from './environment'
import { getChainLabel, isEvm, type Network } from './networks'
import { readContracts, readSolanaTokens, readTokens } from './paymentRules'
import { isRecord, readAmount, readNumber, readText, readTexts } from './read'

/** One edition on sale. */
export type Edition = {
  id: string
  /** The collection's locator, as orders use it. */
  locator: string
  chain: string
  chainLabel: string
  /** The standard of its tokens, such as `ERC-721`; undefined when the service does not say. */
  standard: string | undefined
  name: string
  description: string
  /** The picture's address for a browser. */
  imageUrl: string | undefined
  /** Unit price as a decimal string in `currency`. */
  price: string
  currency: string
  /** The only currencies to pay in, in lower case; undefined for all that the networks have. */
  currencies: readonly string[] | undefined
  /** The unit price in US dollars; undefined without an exchange rate. */
  fiat: Amount | undefined
  supplyLimit: number | undefined
  /** How many are left; undefined for an open edition. */
  available: number | undefined
  /** The rules of its sale; undefined without any. */
  sale: LineItem['quote']['sale']
}

/** The shop's editions and networks, and where payments must go. */
export type Shop = {
  isSandbox: boolean
  editions: Edition[]
  networks: Network[]
  paymentRules: PaymentRules
}

const readNetwork = (name: string, value: unknown, origin: string): Network[] => {
  const rpcPath = isRecord(value) ? readText(value.rpcPath) : undefined
  if (!isRecord(value) || !rpcPath) return []
  const explorerPath = readText(value.explorerPath)
  const common = {
    name,
    label: getChainLabel(name),
    rpcUrl: new URL(rpcPath, origin).href,
    explorerUrl: explorerPath && new URL(explorerPath, origin).href,
  }
  if (name === 'solana') {
    return [
      {
        ...common,
        family: 'solana',
        operator: readText(value.operator),
        nativeCurrency: 'sol',
        tokens: readSolanaTokens(value.tokens),
      },
    ]
  }
  if (!isEvmChainName(name)) return []
  return [
    {
      ...common,
      family: 'evm',
      chainId: evmChains[name].chainId,
      nativeCurrency: evmChains[name].nativeCurrency,
      tokens: readTokens(value.tokens),
    },
  ]
}

const readImage = (value: unknown, origin: string): string | undefined => {
  const url = readText(value)
  const path = url && /^ipfs:\/\/(?:ipfs\/)?(.+)$/.exec(url)?.[1]
  if (path) return `${origin}/ipfs/${path}`
  return url && URL.canParse(url, origin) ? new URL(url, origin).href : undefined
}

const standards: Record<string, string> = {
  'erc-721': 'ERC-721',
  'erc-1155': 'ERC-1155',
  'erc-5643': 'ERC-5643',
  'token-2022': 'Token-2022',
}

const readSale = (value: unknown): Edition['sale'] => {
  if (!isRecord(value)) return undefined
  const { startsAt, endsAt, phase, maxPerBuyer, hasPromotionCodes } = value
  const name = isRecord(phase) ? readText(phase.name) : undefined
  const most = isRecord(maxPerBuyer) ? maxPerBuyer : {}
  return {
    startsAt: readText(startsAt),
    endsAt: readText(endsAt),
    phase:
      name === undefined
        ? undefined
        : { name, isForAllowList: isRecord(phase) && phase.isForAllowList === true },
    maxPerBuyer: {
      wallet: readNumber(most.wallet),
      email: readNumber(most.email),
      payer: readNumber(most.payer),
    },
    hasPromotionCodes: hasPromotionCodes === true,
  }
}

// A collection without a price is not for sale, so it is not an edition of this shop.
const readEdition = (value: unknown, origin: string): Edition[] => {
  if (!isRecord(value)) return []
  const [id, locator, chain] = [readText(value.id), readText(value.locator), readText(value.chain)]
  const [price, currency] = [readText(value.price), readText(value.currency)]
  if (!id || !locator || !chain || !price || !currency) return []
  return [
    {
      id,
      locator,
      chain,
      chainLabel: getChainLabel(chain),
      standard: standards[readText(value.standard) ?? ''],
      name: readText(value.name) ?? id,
      description: readText(value.description) ?? '',
      imageUrl: readImage(value.imageUrl, origin),
      price,
      currency,
      currencies: readTexts(value.currencies),
      fiat: readAmount(value.fiat),
      supplyLimit: readNumber(value.supplyLimit),
      available: readNumber(value.available),
      sale: readSale(value.sale),
    },
  ]
}

// All EVM chains of a service have the same contracts.
const readSandboxRules = (chains: Record<string, unknown>, networks: Network[]): PaymentRules => {
  const [contracts] = Object.values(chains).flatMap((chain) =>
    isRecord(chain) ? (readContracts(chain.contracts) ?? []) : [],
  )
  const tokens = networks.filter(isEvm).map((network) => [network.name, network.tokens] as const)
  return { contracts, tokens: Object.fromEntries(tokens) }
}

const readShop = (value: unknown, origin: string, known: PaymentRules | undefined): Shop => {
  const { chains: listed, collections } = isRecord(value) ? value : {}
  const chains = isRecord(listed) ? listed : {}
  const networks = Object.entries(chains).flatMap(([name, chain]) => readNetwork(name, chain, origin))
  return {
    isSandbox: true,
    networks,
    paymentRules: known ?? readSandboxRules(chains, networks),
    editions: (Array.isArray(collections) ? collections : []).flatMap((item) => readEdition(item, origin)),
  }
}

let lastSeen: Shop | undefined

/**
 * Asks the service what is on sale. While the service is unavailable, the last answer is used, so that an
 * open checkout keeps its page.
 *
 * @returns The shop; undefined before the service's first answer.
 */
export const getShop = cache(async (): Promise<Shop | undefined> => {
  const { baseUrl, publicBaseUrl, paymentRules } = readEnvironment(process.env)
  try {
    const response = await fetch(`${getOrigin(baseUrl)}/sandbox`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(5_000),
    })
    if (response.ok) lastSeen = readShop(await response.json(), getOrigin(publicBaseUrl), paymentRules)
    // A service that is not a sandbox has no such page, so this shop sells nothing there.
    else if (response.status === 404)
      lastSeen = { isSandbox: false, editions: [], networks: [], paymentRules: paymentRules ?? {} }
  } catch {
    // The service is unavailable, so the last answer is used.
  }
  return lastSeen
})

/** Returns one edition by its id; undefined when it is not on sale. */
export const getEdition = async (id: string): Promise<Edition | undefined> =>
  (await getShop())?.editions.find((edition) => edition.id === id)
